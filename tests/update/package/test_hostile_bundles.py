"""Bundles that RAUC itself made, and somebody changed: torn, flipped, and rightly signed all the
same with a manifest that is none of ours. None is taken, and nothing is written for any of them."""

from __future__ import annotations

import os
import random
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from update.slots_here import BOARD

from firmware.lib import partitions
from firmware.lib.errors import FAILED, USAGE, Failure
from firmware.services.update import attribution, bundle, installing, keys, rauc, release, state
from firmware.services.update.release import Release
from firmware.services.update.slots import RAUC_STATE
from tools import cli
from tools.commands import update
from tools.testing.sizes import size

Snapshot = dict[str, bytes]


def snapshot(machine: Path) -> Snapshot:
    """Each file of the machine, its slots too, but for the lock and RAUC's own empty notes."""
    return {
        str(path.relative_to(machine)): path.read_bytes()
        for path in machine.rglob("*")
        if path.is_file() and path.suffix != ".lock" and RAUC_STATE.name not in path.parts
    }


@pytest.fixture
def here(trusting: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The machine that the command runs on, with four partitions whose every byte is known."""
    monkeypatch.setattr(update, "_ROOT", trusting)
    for slot in partitions.SLOTS:
        for part in (slot.root, slot.boot):
            device = trusting / partitions.device(part.name).lstrip("/")
            device.parent.mkdir(parents=True, exist_ok=True)
            device.write_bytes(part.name.encode() * 1000)
    return trusting


@pytest.fixture
def refused(
    here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[[Path], str]:
    """Gives the one sentence with which a bundle is refused; nobody and nothing was written."""

    def never(*_: object) -> None:
        raise AssertionError("it was to be installed")

    monkeypatch.setattr(attribution, "record", never)
    monkeypatch.setattr(installing, "install", never)

    def given(path: Path) -> str:
        before = snapshot(here)
        assert len(before) >= 4
        status = cli.main(["update", "install", str(path)])
        out, err = capsys.readouterr()
        assert (status, out) == (FAILED, "")
        assert "Traceback" not in err and err.count("\n") == 1
        assert snapshot(here) == before
        return err

    return given


def signature_at(data: bytes) -> int:
    """Where the signature begins: its length ends the file (RAUC)."""
    return len(data) - 8 - int.from_bytes(data[-8:], "big")


@pytest.fixture
def resigned(
    made: Callable[..., Path], held: Path, tmp_path: Path, needs: Callable[..., None]
) -> Callable[..., Path]:
    """Makes a good bundle whose manifest somebody changed, who has the key of who makes ours."""
    needs("openssl")
    data = made().read_bytes()
    at = signature_at(data)
    manifest = subprocess.run(
        ["openssl", "cms", "-verify", "-noverify", "-inform", "DER"],
        input=data[at:-8], capture_output=True, check=True,
    ).stdout.decode()  # fmt: skip

    def sign(change: Callable[[str], str], signer: Path = held / "ours") -> Path:
        signed = subprocess.run(
            ["openssl", "cms", "-sign", "-nosmimecap", "-nodetach", "-binary", "-outform", "DER",
             "-signer", signer / keys.CERTIFICATE, "-inkey", signer / keys.KEY],
            input=change(manifest).encode(), capture_output=True, check=True,
        ).stdout  # fmt: skip
        out = tmp_path / "changed.raucb"
        out.write_bytes(data[:at] + signed + len(signed).to_bytes(8, "big"))
        return out

    return sign


def set_to(key: str, value: str) -> Callable[[str], str]:
    """That key of the manifest, wherever it stands, with another value."""
    return lambda manifest: re.sub(rf"(?m)^{key}=.*$", lambda _: f"{key}={value}", manifest)


def more(text: str) -> Callable[[str], str]:
    """The manifest with more at its end."""
    return lambda manifest: f"{manifest}\n{text}\n"


_IMAGE = f"filename=x.img\nsha256={'0' * 64}\nsize=5"
_OTHER = "not made as this wheel takes it"
_MANIFEST = "manifest is none that this wheel takes"


def test_a_manifest_that_nobody_changed_is_taken_signed_anew(
    here: Path, resigned: Callable[..., Path]
) -> None:
    assert rauc.info(resigned(str), here) == Release("2.0.0", BOARD)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (set_to("filename", "../../etc/passwd"), f"{_OTHER}: its image for rootfs is '../../etc/p"),
        (set_to("filename", "/etc/passwd"), f"{_OTHER}: its image for rootfs is '/etc/passwd'"),
        (set_to("filename", "/dev/zero"), _OTHER),
        (set_to("filename", "release.json"), _OTHER),
        (set_to("filename", "root.img\\n"), _OTHER),
        (set_to("filename", "r" * 5000), _OTHER),
        (set_to("filename", ""), _MANIFEST),
        (more("[hooks]\nfilename=hook.sh\nhooks=install-check"), "it brings programs to run"),
        (more("hooks=pre-install;install;post-install"), "it brings programs to run"),
        (more(f"[image.appfs]\n{_IMAGE}"), "a slot 'appfs' is not one of this wheel's"),
        (more(f"[image.rootfs.other]\n{_IMAGE}"), "a slot 'rootfs' is not one"),
        (more("adaptive=block-hash-index"), _OTHER),
        (set_to("size", "0"), "no size that fits a slot"),
        (set_to("size", "-1"), "no size that fits a slot"),
        (set_to("size", str((1 << 63) - 1)), "no size that fits a slot"),
        (set_to("size", str((1 << 64) - 1)), "no size that fits a slot"),
        (set_to("format", "plain"), _MANIFEST),
        (set_to("format", "crypt"), _MANIFEST),
        (set_to("format", "other"), _MANIFEST),
        (set_to("version", "0.9.0"), "older than 1.0.0"),
        (set_to("version", "9" * 5000), "calls itself version"),
        (set_to("version", "2.0.0\\x1b[2J"), "calls itself version"),
        (set_to("version", ""), "calls itself version 'None'"),
        (set_to("version", "2.0.0\nversion=9.0.0"), _MANIFEST),
        (set_to("compatible", "cylindre-boule_ref"), "for the board boule_ref"),
        (set_to("compatible", "cylindre-../../x"), "for the board ../../x"),
        (set_to("compatible", "another"), "no wheel"),
        (set_to("compatible", "cylindre-" + "x" * 100_000), "no whole bundle"),
        (more(f"[image.rootfs]\n{_IMAGE}"), _MANIFEST),
        (more("x" * 3_000_000), "no whole bundle"),
        (lambda _: "", _MANIFEST),
        (lambda _: "[", _MANIFEST),
        (lambda manifest: manifest.partition("[image.boot]")[0], "half a slot"),
    ],
)  # fmt: skip
def test_a_manifest_with_a_trick_in_it_is_refused_though_it_is_rightly_signed(
    refused: Callable[[Path], str], resigned: Callable[..., Path],
    change: Callable[[str], str], why: str,
) -> None:  # fmt: skip
    assert why in refused(resigned(change))


def test_the_same_manifest_signed_with_another_key_is_refused(
    refused: Callable[[Path], str], resigned: Callable[..., Path], held: Path
) -> None:
    assert "does not know" in refused(resigned(str, held / "theirs"))


def test_a_bundle_that_is_not_checked_as_it_is_read_is_refused(
    refused: Callable[[Path], str], held: Path, tmp_path: Path
) -> None:
    """RAUC's older format, `plain`, made by RAUC with the right key."""
    content, out, ours = tmp_path / "content", tmp_path / "plain.raucb", held / "ours"
    content.mkdir()
    text = bundle._manifest(Release("2.0.0", BOARD)).replace("format=verity", "format=plain")
    (content / "manifest.raucm").write_text(text)
    for name in rauc.IMAGES.values():
        (content / name).write_bytes(os.urandom(50_000))
    key = (f"--cert={ours / keys.CERTIFICATE}", f"--key={ours / keys.KEY}")
    subprocess.run(["rauc", *key, "bundle", content, out], check=True, capture_output=True)
    assert _MANIFEST in refused(out)


def test_torn_anywhere_a_bundle_is_refused(
    refused: Callable[[Path], str], made: Callable[..., Path], tmp_path: Path
) -> None:
    data, torn, draw = made().read_bytes(), tmp_path / "torn.raucb", random.Random(21)
    ends = signature_at(data)
    for _ in range(size("torn bundles")):
        keep = draw.choice((draw.randrange(len(data)), draw.randrange(ends, len(data))))
        torn.write_bytes(data[:keep])
        refused(torn)


def test_a_bit_flipped_in_the_signature_is_refused_or_changes_nothing(
    refused: Callable[[Path], str], here: Path, made: Callable[..., Path], tmp_path: Path
) -> None:
    """What is signed is not the encoding alone: some bits of it say nothing."""
    data, altered, draw, taken = (
        made().read_bytes(),
        tmp_path / "altered.raucb",
        random.Random(4),
        0,
    )
    count, begins = size("torn bundles"), signature_at(data)
    for _ in range(count):
        changed = bytearray(data)
        changed[draw.randrange(begins, len(data))] ^= 1 << draw.randrange(8)
        altered.write_bytes(changed)
        try:
            assert rauc.info(altered, here) == Release("2.0.0", BOARD)
            taken += 1
        except Failure:
            refused(altered)
    assert taken <= count // 20


@pytest.mark.parametrize("length", [0, 1, 7, 1 << 16, (1 << 31) - 1, 1 << 63, (1 << 64) - 1])
def test_a_signature_that_says_it_is_longer_than_the_bundle_is_refused(
    refused: Callable[[Path], str], made: Callable[..., Path], tmp_path: Path, length: int
) -> None:
    odd = tmp_path / "odd.raucb"
    odd.write_bytes(made().read_bytes()[:-8] + length.to_bytes(8, "big"))
    refused(odd)


def test_two_bundles_in_one_file_are_the_second(
    refused: Callable[[Path], str], made: Callable[..., Path], tmp_path: Path
) -> None:
    """A good one does not hide a bad one behind it."""
    both = tmp_path / "both.raucb"
    both.write_bytes(made().read_bytes() + made(signer="theirs").read_bytes())
    assert "does not know" in refused(both)


def test_a_pipe_or_a_device_is_no_bundle_and_nobody_waits_for_it(
    here: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to("/dev/zero")
    no_file, link = "it is no regular file", "it is a link, and links are not followed here"
    for path, why in (
        (tmp_path / "pipe", no_file),
        (tmp_path / "link", link),
        ("/dev/zero", no_file),
    ):
        assert cli.main(["update", "install", str(path)]) == USAGE
        assert capsys.readouterr().err == f"{path}: {why}.\n"


def test_a_bundle_that_is_called_like_an_option_is_a_bundle(
    here: Path, made: Callable[..., Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    name = "--keyring=theirs.pem"
    shutil.copyfile(made(), name)
    assert rauc.info(Path(name), here) == Release("2.0.0", BOARD)


def test_a_bundle_that_becomes_a_pipe_after_it_was_judged_is_not_waited_for(
    here: Path, made: Callable[..., Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever can write its folder exchanges it between the two looks."""
    given, plan = tmp_path / "wheel.raucb", installing.plan
    shutil.copyfile(made(), given)

    def exchanges(root: Path, path: Path) -> installing.Plan:
        found = plan(root, path)
        given.unlink()
        os.mkfifo(given)
        return found

    monkeypatch.setattr(installing, "plan", exchanges)
    assert cli.main(["update", "install", str(given), "--dry-run"]) == FAILED


def test_a_release_in_a_bundle_that_leads_out_of_it_is_refused(
    here: Path, bundle: Callable[..., Path], tmp_path: Path
) -> None:
    """A link in what RAUC has mounted: another file of the wheel would say what comes in."""
    from firmware.services.update import rauc_calls

    mounted, own = bundle("2.0.0"), tmp_path / "own.json"
    before = snapshot(here)
    (mounted / release.NAME).rename(own)
    (mounted / release.NAME).symlink_to(own)
    with pytest.raises(Failure, match="it is a link"):
        rauc_calls.pre_install(here, mounted)
    (mounted / release.NAME).unlink()
    own.rename(mounted / release.NAME)
    (mounted / rauc.IMAGES["rootfs"]).unlink()
    (mounted / rauc.IMAGES["rootfs"]).symlink_to("/etc/passwd")
    with pytest.raises(Failure, match=r"holds no root\.img"):
        rauc_calls.pre_install(here, mounted)
    assert snapshot(here) == before
    assert state.load(here).incoming is None
