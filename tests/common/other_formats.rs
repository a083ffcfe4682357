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
/// What moves the square of [`FBX`] within 2 s: a bone carries its upper corners by 2 to the front, and
/// a shape its first corner by 3.
const FBX_MOTION: &str = "\
    NodeAttribute: 9, \"NodeAttribute::brow\", \"LimbNode\" {\n        TypeFlags: \"Skeleton\"\n    }\n\
    Model: 10, \"Model::brow\", \"LimbNode\" {\n        Version: 232\n    }\n\
    Deformer: 20, \"Deformer::\", \"Skin\" {\n        Version: 101\n    }\n\
    Deformer: 21, \"SubDeformer::\", \"Cluster\" {\n\
        Indexes: *2 { a: 2,3 }\n        Weights: *2 { a: 1,1 }\n\
        Transform: *16 { a: 1,0,0,0,0,1,0,0,0,0,1,0,5,0,0,1 }\n\
        TransformLink: *16 { a: 1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1 }\n    }\n\
    Deformer: 30, \"Deformer::\", \"BlendShape\" {\n        Version: 100\n    }\n\
    Deformer: 31, \"SubDeformer::pout\", \"BlendShapeChannel\" {\n\
        DeformPercent: 0\n        FullWeights: *1 { a: 100 }\n    }\n\
    Geometry: 32, \"Geometry::pout\", \"Shape\" {\n\
        Indexes: *1 { a: 0 }\n        Vertices: *3 { a: 0,0,3 }\n    }\n\
    AnimationStack: 40, \"AnimStack::talk\", \"\" {\n        Properties70:  {\n\
        P: \"LocalStop\", \"KTime\", \"Time\", \"\",92372316000\n        }\n    }\n\
    AnimationLayer: 41, \"AnimLayer::Base\", \"\" {\n    }\n\
    AnimationCurveNode: 42, \"AnimCurveNode::T\", \"\" {\n    }\n\
    AnimationCurve: 43, \"AnimCurve::\", \"\" {\n        KeyVer: 4008\n\
        KeyTime: *2 { a: 0,92372316000 }\n        KeyValueFloat: *2 { a: 0,2 }\n\
        KeyAttrFlags: *1 { a: 4 }\n        KeyAttrDataFloat: *4 { a: 0,0,0,0 }\n        KeyAttrRefCount: *1 { a: 2 }\n    }\n\
    AnimationCurveNode: 44, \"AnimCurveNode::DeformPercent\", \"\" {\n    }\n\
    AnimationCurve: 45, \"AnimCurve::\", \"\" {\n        KeyVer: 4008\n\
        KeyTime: *2 { a: 0,92372316000 }\n        KeyValueFloat: *2 { a: 0,100 }\n\
        KeyAttrFlags: *1 { a: 4 }\n        KeyAttrDataFloat: *4 { a: 0,0,0,0 }\n        KeyAttrRefCount: *1 { a: 2 }\n    }\n";
const FBX_MOTION_CONNECTIONS: &str = "    C: \"OO\",9,10\n    C: \"OO\",10,0\n    C: \"OO\",20,1\n\
    C: \"OO\",21,20\n    C: \"OO\",10,21\n    C: \"OO\",30,1\n    C: \"OO\",31,30\n    C: \"OO\",32,31\n\
    C: \"OO\",41,40\n    C: \"OO\",42,41\n    C: \"OP\",42,10, \"Lcl Translation\"\n    C: \"OP\",43,42, \"d|Z\"\n\
    C: \"OO\",44,41\n    C: \"OP\",44,31, \"DeformPercent\"\n    C: \"OP\",45,44, \"d|DeformPercent\"\n";

/// Returns the square of [`FBX`], all painted, with a bone and a shape that move it for 2 s.
pub fn moving_fbx() -> String {
    let painted = FBX.replace("a: 1,1,1,1, 0,0,0,1", "a: 0,0,0,1, 0,0,0,1");
    let (objects, connections) = painted.split_once("}\nConnections:  {\n").unwrap();
    format!("{objects}{FBX_MOTION}}}\nConnections:  {{\n{FBX_MOTION_CONNECTIONS}{connections}")
}

/// In centimetres, with Z up: colours have indices of their own.
pub const DAE: &str = r##"<?xml version="1.0" encoding="utf-8"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
  <asset><unit name="centimeter" meter="0.01"/><up_axis>Z_UP</up_axis></asset>
  <library_effects><effect id="skin-fx"><profile_COMMON>
    <newparam sid="sf"><surface type="2D"><init_from>img</init_from></surface></newparam>
    <newparam sid="sm"><sampler2D><source>sf</source></sampler2D></newparam>
    <technique sid="common"><lambert>
      <diffuse><color>0.5 0.25 1 1</color></diffuse>
      <transparent opaque="A_ONE"><color>1 1 1 1</color></transparent>
    </lambert></technique></profile_COMMON></effect></library_effects>
  <library_images><image id="img"><init_from>file:///C:/art/my%20skin.png</init_from></image></library_images>
  <library_materials><material id="m" name="skin"><instance_effect url="#skin-fx"/></material></library_materials>
  <library_geometries><geometry id="g" name="square"><mesh>
    <source id="p"><float_array id="pa" count="12">0 0 0 100 0 0 100 0 100 0 0 100</float_array><technique_common>
      <accessor source="#pa" count="4" stride="3"><param name="X" type="float"/></accessor></technique_common></source>
    <source id="n"><float_array id="na" count="3">0 -1 0</float_array><technique_common>
      <accessor source="#na" count="1" stride="3"/></technique_common></source>
    <source id="t"><float_array id="ta" count="8">0 0 1 0 1 1 0 1</float_array><technique_common>
      <accessor source="#ta" count="4" stride="2"/></technique_common></source>
    <source id="c"><float_array id="ca" count="8">1 1 1 1 0 0 0 1</float_array><technique_common>
      <accessor source="#ca" count="2" stride="4"/></technique_common></source>
    <vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
    <polylist count="1" material="skin-symbol">
      <input semantic="VERTEX" source="#v" offset="0"/><input semantic="NORMAL" source="#n" offset="1"/>
      <input semantic="TEXCOORD" source="#t" offset="0" set="0"/><input semantic="COLOR" source="#c" offset="2"/>
      <vcount>4</vcount><p>0 0 0 1 0 0 2 0 1 3 0 1</p></polylist>
  </mesh></geometry></library_geometries>
  <library_nodes><node id="lib" name="head"><matrix>1 0 0 250 0 1 0 0 0 0 1 0 0 0 0 1</matrix>
    <instance_geometry url="#g"><bind_material><technique_common>
      <instance_material symbol="skin-symbol" target="#m"/></technique_common></bind_material></instance_geometry>
  </node></library_nodes>
  <library_visual_scenes><visual_scene id="s"><node id="root"><translate>250 0 0</translate>
    <instance_node url="#lib"/></node></visual_scene></library_visual_scenes>
  <scene><instance_visual_scene url="#s"/></scene>
</COLLADA>
"##;
/// In centimetres, with Z up: values by polygon, by vertex with indices, and by corner.
pub const USDA: &str = r#"#usda 1.0
(
    defaultPrim = "World"
    metersPerUnit = 0.01
    upAxis = "Z"
)
def Xform "World"
{
    double3 xformOp:translate = (250, 0, 0)
    uniform token[] xformOpOrder = ["xformOp:translate"]
    def Mesh "head" (
        prepend apiSchemas = ["MaterialBindingAPI"]
    )
    {
        int[] faceVertexCounts = [4]
        int[] faceVertexIndices = [0, 1, 2, 3]
        rel material:binding = </World/Looks/skin>
        normal3f[] normals = [(0, -1, 0)] (
            interpolation = "uniform"
        )
        point3f[] points = [(0, 0, 0), (100, 0, 0), (100, 0, 100), (0, 0, 100)]
        color3f[] primvars:displayColor = [(1, 1, 1), (0, 0, 0)] (
            interpolation = "vertex"
        )
        int[] primvars:displayColor:indices = [0, 0, 1, 1]
        texCoord2f[] primvars:st = [(0, 0), (1, 0), (1, 1), (0, 1)] (
            interpolation = "faceVarying"
        )
        matrix4d xformOp:transform = ( (1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (250, 0, 0, 1) )
        uniform token[] xformOpOrder = ["xformOp:transform"]
    }
    def Scope "Looks"
    {
        def Material "skin"
        {
            token outputs:surface.connect = </World/Looks/skin/surface.outputs:surface>
            def Shader "surface"
            {
                uniform token info:id = "UsdPreviewSurface"
                color3f inputs:diffuseColor = (0.21404114, 0.05087609, 1)
                float inputs:roughness = 0.25
                token outputs:surface
            }
        }
    }
}
"#;
/// The same, as `usdcat` of OpenUSD 26.11 writes it in binary.
pub const USDC: &[u8] = include_bytes!("square.usdc");
/// A stage with variants within variants and opinions over a reference, as `tests/interop` makes it.
pub const VARIANTS: [&[u8]; 2] = [
    include_bytes!("variants.usda"),
    include_bytes!("variants.usdc"),
];

/// Returns a package of files, which are not compressed.
pub fn usdz(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut zip = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let options = zip::write::SimpleFileOptions::default();
    let options = options.compression_method(zip::CompressionMethod::Stored);
    for (name, bytes) in files {
        // Writing to memory does not fail.
        zip.start_file(*name, options).unwrap_or_default();
        std::io::Write::write_all(&mut zip, bytes).unwrap_or_default();
    }
    zip.finish()
        .map_or_else(|_| Vec::new(), std::io::Cursor::into_inner)
}
