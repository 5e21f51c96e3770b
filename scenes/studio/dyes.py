"""Colors in which shops sell such products: (name, '#rrggbb'), what the camera sees of a surface in plain white light."""

JERSEY = (('White', '#ffffff'), ('Natural', '#f1e8d6'), ('Sand', '#d9c6a5'), ('Heather Grey', '#b4b5b8'), ('Charcoal', '#4b4c50'), ('Black', '#1d1d20'),
          ('Navy', '#1f2a44'), ('Royal', '#24499b'), ('Light Blue', '#a9c6e3'), ('Forest', '#224534'), ('Military Green', '#5c5f42'), ('Red', '#b3202c'),
          ('Maroon', '#5b1f2b'), ('Soft Pink', '#eec6cb'))
CANVAS = (('Natural', '#e6dcc8'), ('White', '#f6f5f1'), ('Grey', '#9b9c9b'), ('Black', '#212123'), ('Navy', '#232f4b'), ('Dusty Blue', '#8ba3b8'),
          ('Olive', '#6a6a45'), ('Forest', '#27493a'), ('Mustard', '#d29c32'), ('Terracotta', '#b6603f'), ('Red', '#ab2a2f'), ('Blush', '#e3bdb3'))
COVER = (('White', '#ffffff'), ('Ivory', '#f3ead9'), ('Oatmeal', '#d5c6ae'), ('Stone', '#a8a39a'), ('Charcoal', '#48494c'), ('Navy', '#27324c'),
         ('Denim', '#5f7a98'), ('Sage', '#9aa88c'), ('Forest', '#2c4a3b'), ('Ochre', '#c98f37'), ('Terracotta', '#b4603f'), ('Blush', '#e2bdb4'))
BLACK_GLAZE = '#1b1b1d'
GLAZE = (('White', '#ffffff'), ('Cream', '#f2e6cd'), ('Sand', '#d2bd9c'), ('Grey', '#9a9c9f'), ('Black', BLACK_GLAZE), ('Navy', '#1e2b4d'), ('Sky Blue', '#9cc3dd'),
         ('Teal', '#2b7478'), ('Sage', '#a3b298'), ('Yellow', '#efc444'), ('Red', '#b0252b'), ('Pink', '#eab9c0'))
CASE = (('White', '#ffffff'), ('Cream', '#f1e6d2'), ('Stone', '#c4bbae'), ('Black', '#1c1c1f'), ('Midnight', '#222c44'), ('Sky Blue', '#a5c8e1'), ('Sage', '#a5b59a'),
        ('Forest', '#284a3b'), ('Lilac', '#c3b5da'), ('Blush', '#eac3c4'), ('Red', '#b3252d'), ('Terracotta', '#b9644a'))
FLEECE = (('White', '#ffffff'), ('Bone', '#ece3d2'), ('Sand', '#d3c0a0'), ('Heather Grey', '#b1b2b5'), ('Charcoal', '#47484c'), ('Black', '#1d1d20'), ('Navy', '#202940'),
          ('Royal', '#274a97'), ('Forest', '#244536'), ('Sage', '#9fac92'), ('Burgundy', '#5a202d'), ('Red', '#ad232c'), ('Dusty Rose', '#d3a5a4'))
