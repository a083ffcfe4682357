"""Heads in stages of Pixar's USD."""

import json

import pytest
from pxr import Gf, Sdf, Usd, UsdGeom


def triangle(stage, path, depth):
    mesh = UsdGeom.Mesh.Define(stage, path)
    mesh.CreatePointsAttr([(0, 0, depth), (1, 0, depth), (0, 1, depth)])
    mesh.CreateFaceVertexCountsAttr([3])
    mesh.CreateFaceVertexIndicesAttr([0, 1, 2])


def add_variant(prim, name, variant):
    """Adds a variant, chooses it, and returns the context in which it is edited."""
    variants = prim.GetVariantSets().AddVariantSet(name)
    variants.AddVariant(variant)
    variants.SetVariantSelection(variant)
    return variants.GetVariantEditContext()


@pytest.mark.parametrize("extension", ["usda", "usdc"])
def test_chosen_variants_are_shown(mohawk, tmp_path, extension):
    path = tmp_path / f"head.{extension}"
    stage = Usd.Stage.CreateNew(str(path))
    UsdGeom.SetStageMetersPerUnit(stage, 1)
    world = stage.DefinePrim("/World", "Xform")
    triangle(stage, "/Pattern/base", 0)
    stage.GetPrimAtPath("/Pattern").SetSpecifier(Sdf.SpecifierClass)
    world.GetReferences().AddInternalReference("/Pattern")
    with add_variant(world, "detail", "low"):
        triangle(stage, "/World/low", 1)
    with add_variant(world, "detail", "high"):
        triangle(stage, "/World/high", 2)
        base = UsdGeom.Xformable(stage.OverridePrim("/World/base"))
        base.AddTranslateOp().Set(Gf.Vec3d(30, 0, 0))
        with add_variant(stage.GetPrimAtPath("/World"), "ears", "on"):
            triangle(stage, "/World/ear", 9)
    stage.GetRootLayer().Save()
    shown = {prim.GetName() for prim in stage.Traverse() if prim.IsA(UsdGeom.Mesh)}
    assert shown == {"base", "high", "ear"}
    found = json.loads(mohawk("inspect", path, "--json"))
    assert {part["name"] for part in found["parts"]} == shown
    bounds = found["bounds"]
    assert bounds["min"] + bounds["max"] == pytest.approx([0, 0, 0, 31, 1, 9])
