"""The OpenAI chat format: Groq, Gemini's compatible endpoint, Ollama and local servers."""
