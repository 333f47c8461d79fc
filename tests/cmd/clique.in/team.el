# who has played together
Ada Ben
Ben Cy
Cy Ada
Cy Dot
Dot Eve
Ada Dot
Ben Dot
