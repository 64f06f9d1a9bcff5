"""What the model can do, as typed functions."""
