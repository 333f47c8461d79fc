Ada Ben
Ben
