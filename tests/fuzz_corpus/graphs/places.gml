graph [
  directed 0
  node [ id 1 label "north gate" graphics [ x 0.0 y 1.5 ] ]
  node [ id 2 label "b" graphics [ x 1.0 y 1.5 ] ]
  node [ id 5 label "c" graphics [ x 2.0 y 1.5 ] ]
  node [ id 7 label "d" graphics [ x 2.0 y 0.5 ] ]
  edge [ source 1 target 2 weight 3 ]
  edge [ source 2 target 5 weight -1 ]
  edge [ source 5 target 7 weight 12 ]
  edge [ source 7 target 1 weight 4 ]
  edge [ source 7 target 7 weight 4 ]
  edge [ source 1 target 2 weight 2 ]
]
