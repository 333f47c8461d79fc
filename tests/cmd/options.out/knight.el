# a knight on a board of 3 by 4
1 7
1 10
2 8
2 9
2 11
3 5
3 10
3 12
4 6
4 11
5 11
6 12
7 9
8 10
