"""What a message means, and whether it is done, offered, asked or declined."""
