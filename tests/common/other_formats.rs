//! The same square as each format writes it.

#![allow(dead_code)] // Each test crate uses a part of this.

/// The square with two corners painted black, as OBJ: one polygon, colours at its vertices.
pub const OBJ: &str = "# Blender\nmtllib square.mtl\no head\nv 0 0 0 1 1 1\nv 1 0 0 1 1 1\n\
    v 1 1 0 0 0 0\nv 0 1 0 0 0 0\nvn 0 0 1\nvt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\nusemtl skin\n\
    f 1/1/1 2/2/1 3/3/1 4/4/1\n";
pub const PLY: &str = "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\n\
    property float z\nproperty uchar red\nproperty uchar green\nproperty uchar blue\n\
    element face 1\nproperty list uchar int vertex_indices\nend_header\n0 0 0 255 255 255\n\
    1 0 0 255 255 255\n1 1 0 0 0 0\n0 1 0 0 0 0\n4 0 1 2 3\n";
pub const STL: &str = "solid square\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\n\
    vertex 1 1 0\nendloop\nendfacet\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 1 0\n\
    vertex 0 1 0\nendloop\nendfacet\nendsolid\n";
pub const FBX: &str = "; FBX 7.4.0 project file\nFBXHeaderExtension:  {\n    FBXVersion: 7400\n}\n\
    GlobalSettings:  {\n    Version: 1000\n    Properties70:  {\n\
        P: \"UpAxis\", \"int\", \"Integer\", \"\",1\n        P: \"UpAxisSign\", \"int\", \"Integer\", \"\",1\n\
        P: \"FrontAxis\", \"int\", \"Integer\", \"\",2\n        P: \"FrontAxisSign\", \"int\", \"Integer\", \"\",1\n\
        P: \"CoordAxis\", \"int\", \"Integer\", \"\",0\n        P: \"CoordAxisSign\", \"int\", \"Integer\", \"\",1\n\
        P: \"UnitScaleFactor\", \"double\", \"Number\", \"\",100\n    }\n}\n\
    Objects:  {\n    Geometry: 1, \"Geometry::Square\", \"Mesh\" {\n\
        Vertices: *12 { a: 0,0,0, 1,0,0, 1,1,0, 0,1,0 }\n\
        PolygonVertexIndex: *4 { a: 0,1,2,-4 }\n\
        LayerElementColor: 0 {\n            Name: \"Col\"\n            MappingInformationType: \"ByPolygonVertex\"\n\
            ReferenceInformationType: \"IndexToDirect\"\n\
            Colors: *8 { a: 1,1,1,1, 0,0,0,1 }\n            ColorIndex: *4 { a: 0,0,1,1 }\n        }\n\
        Layer: 0 {\n            LayerElement:  {\n                Type: \"LayerElementColor\"\n                TypedIndex: 0\n            }\n        }\n    }\n\
    Material: 3, \"Material::skin\", \"\" {\n        ShadingModel: \"phong\"\n        Properties70:  {\n\
            P: \"DiffuseColor\", \"Color\", \"\", \"A\",0.5,0.25,1\n        }\n    }\n\
    Model: 2, \"Model::head\", \"Mesh\" {\n        Properties70:  {\n            P: \"Lcl Translation\", \"Lcl Translation\", \"\", \"A\",5,0,0\n        }\n    }\n}\n\
    Connections:  {\n    C: \"OO\",1,2\n    C: \"OO\",2,0\n    C: \"OO\",3,2\n}\n";
