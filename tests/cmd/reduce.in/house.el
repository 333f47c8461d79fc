# a roof on a square
floor_west floor_east
floor_west wall_west
floor_east wall_east
wall_west wall_east
wall_west ridge
wall_east ridge
