import java.io.FileInputStream;
import java.util.List;
import org.verapdf.gf.foundry.VeraGreenfieldFoundryProvider;
import org.verapdf.pdfa.Foundries;
import org.verapdf.pdfa.flavours.PDFAFlavour;
import org.verapdf.pdfa.results.TestAssertion;

/** Prints two lines for each file: for the PDF/A standard that it declares, then for PDF/UA-1. A line has the standard and the broken rules, separated by tabs. */
class VeraPdf {
  public static void main(String[] paths) throws Exception {
    VeraGreenfieldFoundryProvider.initialise();
    for (var path : paths)
      try (var parser = Foundries.defaultInstance().createParser(new FileInputStream(path))) {
        for (var flavour : List.of(parser.getFlavour(), PDFAFlavour.PDFUA_1))
          try (var validator = Foundries.defaultInstance().createValidator(flavour, false)) {
            var broken = validator.validate(parser).getTestAssertions().stream()
                .filter(check -> check.getStatus() == TestAssertion.Status.FAILED)
                .map(check -> "\t" + check.getRuleId().getClause() + "-" + check.getRuleId().getTestNumber() + ": "
                    + check.getMessage().replaceAll("\\s+", " "))
                .distinct().toList();
            System.out.println(flavour.getId() + String.join("", broken));
          }
      }
  }
}
