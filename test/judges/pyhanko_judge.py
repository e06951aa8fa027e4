"""Prints a line for each PDF: a JSON list with one object for each signature that is not a document timestamp.

The first argument is a PEM file of trusted authorities.
"""

import json
import logging
import sys

from pyhanko.keys import load_certs_from_pemder
from pyhanko.pdf_utils.reader import PdfFileReader
from pyhanko.sign.diff_analysis import ModificationLevel
from pyhanko.sign.validation import validate_pdf_signature
from pyhanko_certvalidator import ValidationContext

logging.disable(logging.CRITICAL)
KINDS = {
    ModificationLevel.NONE: "none",
    ModificationLevel.LTA_UPDATES: "validation",
    ModificationLevel.FORM_FILLING: "forms",
    ModificationLevel.ANNOTATIONS: "annotations",
    ModificationLevel.OTHER: "other",
}


def verdict(signature, roots):
    try:
        status = validate_pdf_signature(signature, ValidationContext(trust_roots=roots, allow_fetching=False))
    except Exception as error:
        return {"error": type(error).__name__}
    return {
        "intact": status.intact and status.valid,
        "trusted": status.trusted,
        "changed": KINDS[status.modification_level] if status.modification_level is not None else "other",
        "docmdp": status.docmdp_ok is not False,
        "problem": str(status.trust_problem_indic),
    }


def main(anchors, paths):
    roots = list(load_certs_from_pemder([anchors]))
    for path in paths:
        with open(path, "rb") as file:
            try:
                found = PdfFileReader(file, strict=False).embedded_regular_signatures
                verdicts = [verdict(one, roots) for one in found]
            except Exception as error:
                verdicts = [{"error": type(error).__name__}]
        print(json.dumps(verdicts), flush=True)


main(sys.argv[1], sys.argv[2:])
