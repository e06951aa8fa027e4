"""Writes signed PDFs of many kinds, made with pyHanko, and their authorities `anchors.pem` into a folder. Prints the names.

Arguments: the folder, then unsigned PDFs.
"""

import sys
from datetime import datetime, timedelta, timezone
from io import BytesIO
from pathlib import Path

from asn1crypto import crl as asn1_crl, keys as asn1_keys, x509 as asn1_x509
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from cryptography.x509.oid import ExtendedKeyUsageOID as Eku, NameOID
from pyhanko.pdf_utils import generic
from pyhanko.pdf_utils.incremental_writer import IncrementalPdfFileWriter
from pyhanko.sign import fields, signers, timestamps
from pyhanko.sign.validation.dss import DocumentSecurityStore
from pyhanko.sign.fields import MDPPerm, SigFieldSpec, SigSeedSubFilter
from pyhanko.stamp import TextStampStyle
from pyhanko_certvalidator import ValidationContext
from pyhanko_certvalidator.registry import SimpleCertificateStore

NOW = datetime.now(timezone.utc).replace(microsecond=0)
DAY = timedelta(days=1)
FOLDER = Path(sys.argv[1])


class Party:
    """A key and its certificate."""

    def __init__(self, name, key, issuer=None, *, ca=False, usage=(), since=NOW - 30 * DAY, until=NOW + 300 * DAY, basic=True, signs=True):
        self.key = key
        self.name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
        builder = (
            x509.CertificateBuilder()
            .subject_name(self.name)
            .issuer_name((issuer or self).name)
            .public_key(key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(since)
            .not_valid_after(until)
        )
        if basic:
            builder = builder.add_extension(x509.BasicConstraints(ca=ca, path_length=None), critical=True)
        builder = builder.add_extension(
            x509.KeyUsage(
                digital_signature=signs,
                content_commitment=signs and not ca,
                key_encipherment=not signs,
                data_encipherment=False,
                key_agreement=False,
                key_cert_sign=ca,
                crl_sign=ca,
                encipher_only=False,
                decipher_only=False,
            ),
            critical=True,
        )
        if usage:
            builder = builder.add_extension(x509.ExtendedKeyUsage(usage), critical=Eku.TIME_STAMPING in usage)
        signing_key = (issuer or self).key
        digest = None if isinstance(signing_key, ed25519.Ed25519PrivateKey) else hashes.SHA256()
        self.certificate = builder.sign(signing_key, digest)

    @property
    def pem(self):
        return self.certificate.public_bytes(serialization.Encoding.PEM)

    @property
    def asn1(self):
        return asn1_x509.Certificate.load(self.certificate.public_bytes(serialization.Encoding.DER))

    @property
    def asn1_key(self):
        return asn1_keys.PrivateKeyInfo.load(
            self.key.private_bytes(
                serialization.Encoding.DER, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
            )
        )

    def revocation_list(self, *revoked):
        builder = x509.CertificateRevocationListBuilder().issuer_name(self.name).last_update(NOW - DAY).next_update(NOW + 30 * DAY)
        for one in revoked:
            entry = x509.RevokedCertificateBuilder().serial_number(one.certificate.serial_number).revocation_date(NOW - DAY).build()
            builder = builder.add_revoked_certificate(entry)
        return asn1_crl.CertificateList.load(builder.sign(self.key, hashes.SHA256()).public_bytes(serialization.Encoding.DER))


def curve(kind=ec.SECP256R1):
    return ec.generate_private_key(kind())


ROOT = Party("Root", curve(), ca=True, since=NOW - 3000 * DAY, until=NOW + 3000 * DAY)
OTHER_ROOT = Party("Root of others", curve(), ca=True)
MIDDLE = Party("Intermediate", curve(), ROOT, ca=True)
NO_AUTHORITY = Party("No authority", curve(), ROOT)
RSA_KEY = rsa.generate_private_key(65537, 2048)
CLOCK = Party("Clock", RSA_KEY, ROOT, usage=[Eku.TIME_STAMPING], since=NOW - 3000 * DAY, until=NOW + 1000 * DAY)
SHORT_KEY = rsa.generate_private_key(65537, 1024)
CLOCK_CHAIN = SimpleCertificateStore.from_certs([ROOT.asn1])
SIGNER = Party("Signer", curve(), ROOT)
SECOND = Party("Second", curve(), ROOT)
REVOKED = Party("Revoked", curve(), ROOT)
EXPIRED = Party("Expired", curve(), ROOT, since=NOW - 400 * DAY, until=NOW - 100 * DAY)
CONTEXT = dict(trust_roots=[ROOT.asn1], allow_fetching=False)


def signing(party, chain=(), **more):
    store = SimpleCertificateStore()
    store.register_multiple([one.asn1 for one in (ROOT, *chain)])
    return signers.SimpleSigner(party.asn1, party.asn1_key, store, **more)


def sign(pdf, party=SIGNER, *, name="Signature1", chain=(), at=None, stamp=None, box=None, digest="sha256", signer=None, **meta):
    """Signs a PDF. `at` gives it a timestamp with that time, and `box` a visible field."""
    meta.setdefault("subfilter", SigSeedSubFilter.PADES)
    # A key usage that does not fit is a case for the judges.
    meta.setdefault("signer_key_usage", set())
    return signers.PdfSigner(
        signers.PdfSignatureMetadata(field_name=name, md_algorithm=digest, **meta),
        signer=signer or signing(party, chain),
        timestamper=timestamps.DummyTimeStamper(
            CLOCK.asn1, CLOCK.asn1_key, certs_to_embed=CLOCK_CHAIN, fixed_dt=at
        )
        if at
        else None,
        stamp_style=stamp,
        new_field_spec=SigFieldSpec(name, box=box, on_page=0) if box else None,
    ).sign_pdf(IncrementalPdfFileWriter(BytesIO(pdf), strict=False)).getvalue()


def changed(pdf, change):
    """Appends an update."""
    writer = IncrementalPdfFileWriter(BytesIO(pdf), strict=False)
    change(writer)
    output = BytesIO()
    writer.write(output)
    return output.getvalue()


def page_of(writer):
    return writer.find_page_for_modification(0)[0]


def annotate(writer):
    note = generic.DictionaryObject(
        {
            generic.pdf_name("/Type"): generic.pdf_name("/Annot"),
            generic.pdf_name("/Subtype"): generic.pdf_name("/FreeText"),
            generic.pdf_name("/Rect"): generic.ArrayObject(map(generic.NumberObject, (10, 10, 200, 60))),
            generic.pdf_name("/Contents"): generic.TextStringObject("added"),
            generic.pdf_name("/DA"): generic.TextStringObject("/Helv 12 Tf"),
        }
    )
    page = page_of(writer).get_object()
    page[generic.pdf_name("/Annots")] = generic.ArrayObject([*page.get("/Annots", []), writer.add_object(note)])
    writer.update_container(page)


def overwrite(writer):
    stream = generic.StreamObject(stream_data=b"q 1 0 0 rg 0 0 300 300 re f Q")
    writer.add_stream_to_page(0, writer.add_object(stream))


def describe(writer):
    writer.set_info(generic.DictionaryObject({generic.pdf_name("/Title"): generic.TextStringObject("Other")}))


def fill(writer):
    field = writer.root["/AcroForm"]["/Fields"][0].get_object()
    field[generic.pdf_name("/V")] = generic.TextStringObject("filled")
    writer.update_container(field)


def with_form(pdf):
    def add(writer):
        page_ref = page_of(writer)
        field = generic.DictionaryObject(
            {
                generic.pdf_name("/Type"): generic.pdf_name("/Annot"),
                generic.pdf_name("/Subtype"): generic.pdf_name("/Widget"),
                generic.pdf_name("/FT"): generic.pdf_name("/Tx"),
                generic.pdf_name("/T"): generic.TextStringObject("Town"),
                generic.pdf_name("/Rect"): generic.ArrayObject(map(generic.NumberObject, (50, 50, 200, 70))),
                generic.pdf_name("/P"): page_ref if isinstance(page_ref, generic.IndirectObject) else page_ref.container_ref,
            }
        )
        reference = writer.add_object(field)
        page = page_ref.get_object()
        page[generic.pdf_name("/Annots")] = generic.ArrayObject([*page.get("/Annots", []), reference])
        writer.update_container(page)
        writer.root[generic.pdf_name("/AcroForm")] = generic.DictionaryObject(
            {generic.pdf_name("/Fields"): generic.ArrayObject([reference])}
        )
        writer.update_root()

    return changed(pdf, add)


def stamped(pdf):
    """Appends a document timestamp."""
    clock = timestamps.DummyTimeStamper(CLOCK.asn1, CLOCK.asn1_key, certs_to_embed=CLOCK_CHAIN)
    writer = IncrementalPdfFileWriter(BytesIO(pdf), strict=False)
    return signers.PdfTimeStamper(clock).timestamp_pdf(writer, "sha256", ValidationContext(**CONTEXT)).getvalue()


def replaced(pdf, at):
    """Replaces a byte by another hexadecimal digit."""
    return pdf[:at] + (b"1" if pdf[at : at + 1] != b"1" else b"2") + pdf[at + 1 :]


def of_keys_and_certificates(base):
    """Yields the name and bytes of files with different signers."""
    for digest in ("sha384", "sha512", "sha1", "sha3_256"):
        yield f"digest {digest}", sign(base, digest=digest)
    for name, key, digest in (
        ("P-384", curve(ec.SECP384R1), "sha384"),
        ("P-521", curve(ec.SECP521R1), "sha512"),
        ("brainpool", curve(ec.BrainpoolP256R1), "sha256"),
        ("Ed25519", ed25519.Ed25519PrivateKey.generate(), "sha512"),
        ("RSA", RSA_KEY, "sha256"),
        ("RSA of 1024 bits", SHORT_KEY, "sha256"),
    ):
        yield f"key {name}", sign(base, Party("Signer", key, ROOT), digest=digest)
    pss = Party("Signer", RSA_KEY, ROOT)
    for digest in ("sha256", "sha512"):
        yield f"RSASSA-PSS {digest}", sign(base, signer=signing(pss, prefer_pss=True), digest=digest)
    yield "expired", sign(base, EXPIRED)
    yield "expired, with a timestamp of before", sign(base, EXPIRED, at=NOW - 200 * DAY)
    yield "expired, with a timestamp of after", sign(base, EXPIRED, at=NOW - 10 * DAY)
    yield "not yet valid", sign(base, Party("Signer", curve(), ROOT, since=NOW + 10 * DAY))
    yield "of another authority", sign(base, Party("Signer", curve(), OTHER_ROOT), chain=[OTHER_ROOT])
    yield "self-signed", sign(base, Party("Signer", curve()))
    yield "intermediate", sign(base, Party("Signer", curve(), MIDDLE), chain=[MIDDLE])
    yield "intermediate missing", sign(base, Party("Signer", curve(), MIDDLE))
    yield "issued by no authority", sign(base, Party("Signer", curve(), NO_AUTHORITY), chain=[NO_AUTHORITY])
    yield "for web servers only", sign(base, Party("Signer", curve(), ROOT, usage=[Eku.SERVER_AUTH]))
    yield "for email", sign(base, Party("Signer", curve(), ROOT, usage=[Eku.EMAIL_PROTECTION]))
    yield "key for encryption only", sign(base, Party("Signer", curve(), ROOT, signs=False))
    yield "revoked, with its list", with_lists(sign(base, REVOKED, at=NOW))


def of_structures(base):
    """Yields the name and bytes of files with different updates."""
    valid = ValidationContext(**CONTEXT, crls=[ROOT.revocation_list(REVOKED)])
    plain = sign(base)
    box = (300, 300, 450, 350)

    yield "plain", plain
    yield "adbe.pkcs7.detached", sign(base, subfilter=SigSeedSubFilter.ADOBE_PKCS7_DETACHED)
    yield "visible", sign(base, box=box, stamp=TextStampStyle(stamp_text="Signed by %(signer)s"))
    yield "reason and place", sign(base, reason="Agreed (yes) \u6771\u4eac", location="Kiel", name="S\u00fcd", box=box)

    yield "B-T", sign(base, at=NOW)
    yield "B-LT", sign(base, at=NOW, embed_validation_info=True, validation_context=valid)
    yield "B-LTA", sign(base, at=NOW, embed_validation_info=True, use_pades_lta=True, validation_context=valid)
    yield "document timestamp", stamped(plain)
    yield "two document timestamps", stamped(stamped(plain))

    for permission in MDPPerm:
        certified = sign(base, certify=True, docmdp_permissions=permission)
        yield f"certified {permission.name}", certified
        # pyHanko does not sign against the permission.
        if permission != MDPPerm.NO_CHANGES:
            yield f"certified {permission.name}, then signed", sign(certified, SECOND, name="Signature2")
        yield f"certified {permission.name}, then annotated", changed(certified, annotate)
    twice = sign(plain, SECOND, name="Signature2")
    yield "signed twice", twice
    yield "signed three times", sign(twice, REVOKED, name="Signature3", at=NOW)
    yield "signed twice, then stamped", stamped(twice)
    form = with_form(base)
    yield "form", sign(form)
    yield "form filled after signing", changed(sign(form), fill)
    yield "form filled, then signed again", sign(changed(sign(form), fill), SECOND, name="Signature2")

    yield "annotated", changed(plain, annotate)
    yield "overwritten", changed(plain, overwrite)
    yield "described", changed(plain, describe)
    yield "overwritten, then stamped", stamped(changed(plain, overwrite))
    yield "overwritten, then signed", sign(changed(plain, overwrite), SECOND, name="Signature2")
    yield "comment at the end", plain + b"% more\n"

    message = plain.index(b"/Contents <")
    yield "byte of the page replaced", replaced(plain, len(base) // 2)
    yield "byte of the header replaced", replaced(plain, 7)
    yield "byte of the signature value replaced", replaced(plain, plain.index(b"0" * 400, message) - 20)
    yield "message of another signature", swapped(plain, sign(base, reason="Other"))
    yield "end cut off", plain[: len(plain) - 30]


def swapped(one, other):
    """Replaces the signature message of a file by that of another file."""

    def message(pdf):
        start = pdf.index(b"/Contents <") + len(b"/Contents <")
        return start, pdf.index(b">", start)

    (start, end), (from_, to) = message(one), message(other)
    # The rest of the reserved space is zeros.
    return one[:start] + other[from_:to][: end - start].ljust(end - start, b"0") + one[end:]


def with_lists(pdf):
    """Appends the revocation list of the authority."""
    output = BytesIO(pdf)
    DocumentSecurityStore.add_dss(output, sig_contents=None, certs=[ROOT.asn1], crls=[ROOT.revocation_list(REVOKED)])
    return output.getvalue()


def main():
    (FOLDER / "anchors.pem").write_bytes(ROOT.pem)
    bases = [Path(path).read_bytes() for path in sys.argv[2:]]
    made = [*of_keys_and_certificates(bases[0]), *(one for base in bases for one in of_structures(base))]
    for number, (name, pdf) in enumerate(made):
        (FOLDER / f"{number:03}.pdf").write_bytes(pdf)
        print(name)


main()
