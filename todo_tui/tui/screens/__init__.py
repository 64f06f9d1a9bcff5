"""Full-screen and modal views; start with main.py."""
