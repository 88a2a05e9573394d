"""Bundles that RAUC makes and reads: good ones, and every way in which one can be bad."""

import os
import stat
import subprocess
from pathlib import Path

import pytest
from update.slots_here import BOARD

from firmware.lib import programs
from firmware.lib.errors import FAILED, NO_DEVICE, USAGE, Failure
from firmware.services.update import bundle, installing, keys, rauc, release, slots, state
from firmware.services.update.bundle import Parts
from firmware.services.update.release import Release
from firmware.services.update.slots import RELEASE
from firmware.services.update.state import FAILED_TRY, GOOD, Known


def refused(path, root):
    with pytest.raises(Failure) as found:
        installing.plan(root, path)
    assert "\n" not in found.value.sentence
    return found.value


@pytest.mark.smoke
def test_a_good_bundle_is_planned(trusting, made):
    plan = installing.plan(trusting, made())
    assert plan.incoming == Release("2.0.0", BOARD)
    assert (plan.running.version, plan.into.bootname) == ("1.0.0", "B")


@pytest.mark.smoke
@pytest.mark.req("EN-5.3-9")
def test_a_bundle_of_another_key_is_refused(trusting, made):
    failure = refused(made(signer="theirs"), trusting)
    assert failure.exit_code == FAILED
    assert "signed by somebody this wheel does not know" in failure.sentence


def test_a_bundle_signed_when_its_certificate_had_expired_is_refused(trusting, made):
    assert "had expired" in refused(made(signer="expired"), trusting).sentence


@pytest.mark.req("EN-5.3-2")
def test_another_board_and_an_older_version_are_refused(trusting, made):
    assert "and this is roulette_ref" in refused(made(board="boule_ref"), trusting).sentence
    assert "older than 1.0.0" in refused(made("0.9.0"), trusting).sentence


@pytest.mark.parametrize("made_as", ["2026-11", "v2.0.0"])
def test_a_signed_bundle_whose_version_is_none_of_ours_is_refused(
    trusting, held, tmp_path, monkeypatch, made_as
):
    """Somebody made it without `cylindre update make`."""
    (tmp_path / "noise").write_bytes(os.urandom(50_000))
    (tmp_path / "root").mkdir()
    ours = held / "ours"
    parts = Parts(tmp_path / "root", tmp_path / "noise", ours / keys.KEY, ours / keys.CERTIFICATE)
    text = bundle._manifest(Release("2.0.0", BOARD)).replace("=2.0.0", f"={made_as}")
    monkeypatch.setattr(bundle, "_manifest", lambda _: text)
    bundle.make(tmp_path / "odd.raucb", Release("2.0.0", BOARD), parts)
    failure = refused(tmp_path / "odd.raucb", trusting)
    assert failure.exit_code == FAILED
    assert f"calls itself version '{made_as}'. A version is one to four" in failure.sentence


def test_whoever_brings_an_older_version_is_told_of_the_way_back_where_there_is_one(trusting, made):
    sentence = refused(made("0.9.0"), trusting).sentence
    assert sentence.endswith("older than 1.0.0, which this wheel had. Get 1.0.0 or newer.")
    other = slots.named("B")
    for known, told in (
        (Known(GOOD, "0.8.0"), "Get 1.0.0 or newer; cylindre update rollback goes back to 0.8.0."),
        (Known(FAILED_TRY, "0.8.0"), "Get 1.0.0 or newer."),
    ):
        state.save(trusting, state.load(trusting).with_slot(other, known))
        assert refused(made("0.9.0"), trusting).sentence.endswith(told)
    with pytest.raises(Failure, match=r"Install a bundle instead: 1\.0\.0 or newer"):
        installing.way_back(trusting)


@pytest.mark.req("IEC-EDR-3.10")
@pytest.mark.parametrize("keep", [0, 7, 8, 9, 4096, 0.25, 0.5, 0.99, -1, -8, -9, -600])
def test_a_bundle_cut_short_is_refused(trusting, made, tmp_path, keep):
    data = made().read_bytes()
    torn = tmp_path / "torn.raucb"
    torn.write_bytes(data[: int(keep * len(data)) if isinstance(keep, float) else keep])
    assert refused(torn, trusting).exit_code == FAILED


@pytest.mark.parametrize("back", [10, 40, 200, 500, 900])
def test_a_signature_that_is_altered_is_refused(trusting, made, tmp_path, back):
    data = bytearray(made().read_bytes())
    data[-back] ^= 1
    altered = tmp_path / "altered.raucb"
    altered.write_bytes(data)
    assert refused(altered, trusting).exit_code == FAILED


def test_a_manifest_that_claims_another_version_is_refused(trusting, made, tmp_path):
    data = made().read_bytes()
    assert data.count(b"version=2.0.0") == 1
    forged = tmp_path / "forged.raucb"
    forged.write_bytes(data.replace(b"version=2.0.0", b"version=9.0.0"))
    assert "damaged or forged" in refused(forged, trusting).sentence


@pytest.mark.needs("openssl")
def test_a_signature_that_tells_no_time_does_not_get_through(trusting, made, held, tmp_path):
    """RAUC 1.8 dies of it while it verifies: that is a refusal, too."""
    data = made().read_bytes()
    at = len(data) - 8 - int.from_bytes(data[-8:], "big")
    openssl, ours = ("openssl", "cms"), held / "ours"
    manifest = subprocess.run(
        [*openssl, "-verify", "-noverify", "-inform", "DER"],
        input=data[at:-8], capture_output=True, check=True,
    ).stdout  # fmt: skip
    signed = subprocess.run(
        [*openssl, "-sign", "-noattr", "-nodetach", "-binary", "-outform", "DER",
         "-signer", ours / keys.CERTIFICATE, "-inkey", ours / keys.KEY],
        input=manifest, capture_output=True, check=True,
    ).stdout  # fmt: skip
    timeless = tmp_path / "timeless.raucb"
    timeless.write_bytes(data[:at] + signed + len(signed).to_bytes(8, "big"))
    assert "damaged or forged" in refused(timeless, trusting).sentence


def test_a_certificate_for_something_else_is_refused(trusting, made, held, tmp_path):
    """The authority's own: it may sign certificates, and no software."""
    ours = held / "ours"
    root = tmp_path / "root"
    root.mkdir()
    (root / "noise").write_bytes(made().read_bytes())
    out = tmp_path / "wrong.raucb"
    parts = Parts(root, root / "noise", ours / keys.AUTHORITY_KEY, ours / keys.AUTHORITY)
    bundle.make(out, Release("2.0.0", BOARD), parts)
    assert "not for updates" in refused(out, trusting).sentence


def test_what_is_no_file_is_refused(trusting, tmp_path):
    assert refused(tmp_path, trusting).exit_code == USAGE
    assert refused(tmp_path / "absent", trusting).exit_code == USAGE


def test_without_rauc_it_says_so(trusting, made, monkeypatch, tmp_path):
    path = made()
    monkeypatch.setenv("PATH", str(tmp_path))
    assert refused(path, trusting).exit_code == NO_DEVICE


@pytest.mark.req("EN-5.3-16")
def test_a_bundle_holds_a_root_that_says_what_it_is(made, tmp_path):
    inside = tmp_path / "inside"
    subprocess.run(["unsquashfs", "-q", "-d", inside, made()], check=True, capture_output=True)
    assert release.read(inside / release.NAME) == Release("2.0.0", BOARD)
    found = subprocess.run(
        ["unsquashfs", "-cat", inside / bundle.ROOT, RELEASE], check=True, capture_output=True
    ).stdout
    assert release.parse(found) == Release("2.0.0", BOARD)


@pytest.fixture
def parts(held, tmp_path):
    root = tmp_path / "root"
    (root / RELEASE).parent.mkdir(parents=True)
    (root / RELEASE).write_text(release.text(Release("1.0.0", BOARD)))
    (root / "noise").write_bytes(os.urandom(50_000))
    ours = held / "ours"
    return Parts(root, root / "noise", ours / keys.KEY, ours / keys.CERTIFICATE)


@pytest.mark.parametrize(
    ("version", "change", "sentence"),
    [
        ("1.0.0-rc1", {}, "is no version"),
        ("2.0.0", {}, "and the bundle is to be 2.0.0"),
        ("1.0.0", {"key": "absent"}, "There is no absent"),
        ("1.0.0", {"boot": "absent"}, "There is no absent"),
    ],
)
def test_what_cannot_be_made_is_said_before(parts, tmp_path, version, change, sentence):
    changed = parts._replace(**{name: tmp_path / path for name, path in change.items()})
    with pytest.raises(Failure) as found:
        bundle.make(tmp_path / "out.raucb", Release(version, BOARD), changed)
    assert sentence.replace("absent", str(tmp_path / "absent")) in found.value.sentence
    assert not list(tmp_path.glob("*.raucb"))


def test_without_its_programs_no_bundle_is_made(parts, tmp_path, monkeypatch):
    monkeypatch.setattr(programs, "PATH", str(tmp_path))
    with pytest.raises(Failure, match="Missing here: rauc, mksquashfs, unsquashfs") as found:
        bundle.check(tmp_path / "out.raucb", Release("1.0.0", BOARD), parts)
    assert found.value.exit_code == FAILED


def test_the_wrong_key_for_a_certificate_leaves_nothing(parts, held, tmp_path):
    wrong = parts._replace(key=held / "theirs" / keys.KEY)
    with pytest.raises(Failure, match="rauc failed"):
        bundle.make(tmp_path / "out.raucb", Release("1.0.0", BOARD), wrong)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["root"]


def test_verifying_a_bundle_leaves_nothing_on_this_machine(parts, held, tmp_path):
    checked = parts._replace(authority=held / "ours" / keys.AUTHORITY)
    before = {path: path.exists() for path in map(Path, ("/data", "/data/rauc", "/run/rauc"))}
    bundle.make(tmp_path / "out.raucb", Release("1.0.0", BOARD), checked)
    assert {path: path.exists() for path in before} == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out.raucb", "root"]


def test_a_bundle_that_the_authority_would_refuse_is_not_left(parts, held, tmp_path):
    other = parts._replace(authority=held / "theirs" / keys.AUTHORITY)
    with pytest.raises(Failure, match="somebody this wheel does not know"):
        bundle.make(tmp_path / "out.raucb", Release("1.0.0", BOARD), other)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["root"]


def test_an_image_that_does_not_say_what_it_is_is_refused(parts, tmp_path):
    image = tmp_path / "image"
    (parts.root / RELEASE).unlink()
    subprocess.run(["mksquashfs", parts.root, image, "-quiet"], check=True, capture_output=True)
    with pytest.raises(Failure, match="does not say what software"):
        bundle.make(tmp_path / "a.raucb", Release("1.0.0", BOARD), parts._replace(root=image))


def test_an_image_is_taken_as_it_is(parts, tmp_path):
    image, out = tmp_path / "image", tmp_path / "out.raucb"
    subprocess.run(["mksquashfs", parts.root, image, "-quiet"], check=True, capture_output=True)
    bundle.make(out, Release("1.0.0", BOARD), parts._replace(root=image, boot=image))
    inside = tmp_path / "inside"
    subprocess.run(["unsquashfs", "-q", "-d", inside, out], check=True, capture_output=True)
    assert (inside / bundle.ROOT).read_bytes() == image.read_bytes()
    assert (inside / bundle.BOOT).read_bytes() == image.read_bytes()


@pytest.mark.needs("root")
def test_on_the_wheel_the_files_of_a_builders_folder_are_roots(parts, tmp_path):
    for path in (parts.root, *parts.root.rglob("*")):
        os.chown(path, 1000, 1000)
    out, inside = tmp_path / "out.raucb", tmp_path / "inside"
    bundle.make(out, Release("1.0.0", BOARD), parts)
    subprocess.run(["unsquashfs", "-q", "-d", inside, out], check=True, capture_output=True)
    listed = subprocess.run(
        ["unsquashfs", "-lln", inside / bundle.ROOT], check=True, capture_output=True, text=True
    ).stdout  # fmt: skip
    assert "/noise" in listed and " 0/0 " in listed and "1000" not in listed


def test_half_a_slot_made_by_somebody_else_is_refused(parts, trusting, tmp_path, monkeypatch):
    """Signed as ours are; its manifest has the root alone."""
    whole = bundle._manifest
    monkeypatch.setattr(bundle, "_manifest", lambda made: whole(made).partition("[image.boot]")[0])
    out = tmp_path / "half.raucb"
    bundle.make(out, Release("1.0.0", BOARD), parts)
    assert "half a slot" in refused(out, trusting).sentence


def test_a_bundle_that_is_there_is_not_written_over(parts, tmp_path):
    out = tmp_path / "out.raucb"
    out.write_text("mine")
    with pytest.raises(Failure, match="is there already"):
        bundle.make(out, Release("1.0.0", BOARD), parts)
    assert out.read_text() == "mine"


def test_keys_are_their_owners_alone_and_are_not_written_over(held):
    for name in (keys.KEY, keys.AUTHORITY_KEY):
        assert stat.S_IMODE((held / "ours" / name).stat().st_mode) == 0o600
    with pytest.raises(Failure, match="is there already"):
        keys.make(held / "ours", now=keys.datetime.datetime.now(keys.datetime.UTC))


@pytest.mark.parametrize(
    ("said", "sentence"),
    [
        ("LastError: Failed updating slot rootfs.1: failed to read: Input/output error", "damaged"),
        ("Failed mounting bundle: Failed to load dm table: Invalid argument", "is damaged"),
        ("Failed updating slot: No space left on device", "no room"),
        ("Failed Already processing a different method", "installed already"),
        ("failed to mount: Device or resource busy", "Device or resource busy"),
        ("LastError: Compatible mismatch: Expected 'cylindre-a'", "for another board"),
        ("LastError: Pre-install handler error: Child process exited with code 1", "journalctl"),
        ("Failed GDBus.Error:org.freedesktop.DBus.Error.ServiceUnknown", "systemctl start"),
        ("something\nnew", "It said: something new"),
    ],
)
def test_what_rauc_says_becomes_a_sentence(said, sentence):
    found = rauc.meaning(said)
    assert sentence in found and "\n" not in found
