"""The app under Textual's pilot, over a real store and a scripted model."""
