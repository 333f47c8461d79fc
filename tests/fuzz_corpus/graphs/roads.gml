graph [
  directed 0
  node [ id 0 label "Rome" ]
  node [ id 1 label "Milan" ]
  node [ id 2 label "Turin" ]
  node [ id 3 label "Naples" ]
  edge [ source 0 target 1 weight 477 ]
  edge [ source 1 target 2 weight 126 ]
  edge [ source 2 target 0 weight 669 ]
  edge [ source 0 target 3 weight 226 ]
]
