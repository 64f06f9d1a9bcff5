"""One entry of a server's list of models, read whichever server wrote it."""

from __future__ import annotations

import re

from todo_tui.domain.request import ModelInfo
from todo_tui.domain.text import plain_line
from todo_tui.providers.foreign import count_of, items_of, member, text_of

_NO_TALKERS = re.compile(
    r"""(?x)
      embed | \b(?:bge|gte|e5|minilm|clip)\b | rerank            # for search
    | whisper | transcri | \b(?:tts|asr)\b | speech | audio | orpheus | \blive\b | realtime
    | image | imagen | dall-?e | nano-banana | \bveo\b | \bsora\b | video | lyria | stable-diffusion
    | moderation | guard                                         # they judge what others say
    | babbage | davinci | gpt-3\.5-turbo-instruct | \baqa\b | \bocr\b
    | computer-use | deep-research | robotics | search-(?:preview|api)
    """,
    re.IGNORECASE,
)
"""Names of models that do something else than talk and call tools."""
_OTHER_TYPES = {"embedding", "embeddings", "image", "audio", "moderation", "rerank", "transcribe"}


def listed_model(item: object) -> ModelInfo | None:
    """What a list says of a model; None where one cannot talk with it."""
    name = plain_line(text_of(item, "id") or text_of(item, "name")).removeprefix("models/")
    if not name or not _talks(name, item):
        return None
    owner = text_of(item, "owned_by")
    return ModelInfo(
        name=name,
        context_tokens=_context_tokens(item),
        details={"owned_by": owner} if owner else {},
        calls_tools=_calls_tools(item),
    )


def _talks(name: str, item: object) -> bool:
    methods = items_of(item, "supportedGenerationMethods")  # Gemini
    modalities = items_of(member(item, "architecture"), "output_modalities")  # OpenRouter
    # llama.cpp names a model by its file, whose folder may be called anything.
    last = re.split(r"[/\\]", name)[-1]
    return not (
        _NO_TALKERS.search(last)
        or text_of(item, "type") in _OTHER_TYPES  # Together, LM Studio
        or (methods and "generateContent" not in methods)
        or (modalities and "text" not in modalities)
        or member(member(item, "capabilities"), "completion_chat") is False  # Mistral
        or member(item, "supports_chat") is False  # Fireworks
        or member(item, "active") is False  # Groq
        or text_of(item, "lifecycle") == "retired"  # Anthropic
    )


def _context_tokens(item: object) -> int | None:
    """Each server tells the context length in its own way, if at all."""
    lengths = (
        count_of(member(item, "meta"), "n_ctx"),  # llama.cpp
        count_of(item, "loaded_context_length"),  # LM Studio
        count_of(item, "max_context_length"),  # LM Studio, Mistral
        count_of(item, "max_model_len"),  # vLLM
        count_of(item, "context_window"),  # Groq
        count_of(item, "context_length"),  # OpenRouter, Together, Fireworks
        count_of(item, "inputTokenLimit"),  # Gemini
        count_of(item, "max_input_tokens"),  # Anthropic
    )
    return next((length for length in lengths if length), None)


def _calls_tools(item: object) -> bool | None:
    parameters = items_of(item, "supported_parameters")  # OpenRouter
    if parameters:
        return "tools" in parameters
    told = (
        member(member(item, "capabilities"), "function_calling"),  # Mistral
        member(item, "supports_tools"),  # Fireworks
    )
    return next((each for each in told if isinstance(each, bool)), None)
