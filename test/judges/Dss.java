import eu.europa.esig.dss.diagnostic.SignatureWrapper;
import eu.europa.esig.dss.model.FileDocument;
import eu.europa.esig.dss.model.x509.CertificateToken;
import eu.europa.esig.dss.pades.validation.PDFDocumentValidator;
import eu.europa.esig.dss.spi.validation.CommonCertificateVerifier;
import eu.europa.esig.dss.spi.x509.CommonTrustedCertificateSource;
import java.io.FileInputStream;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.stream.Collectors;

/**
 * Prints a line for each file: a JSON list with one object for each signature that is not a document timestamp, in the order of the file. The first
 * argument is a PEM file of trusted authorities.
 */
class Dss {
  public static void main(String[] args) throws Exception {
    var anchors = new CommonTrustedCertificateSource();
    for (var one : CertificateFactory.getInstance("X.509").generateCertificates(new FileInputStream(args[0])))
      anchors.addCertificate(new CertificateToken((X509Certificate) one));
    for (var path : Arrays.copyOfRange(args, 1, args.length)) {
      var verifier = new CommonCertificateVerifier();
      verifier.setTrustedCertSources(anchors);
      String said;
      try {
        var validator = new PDFDocumentValidator(new FileDocument(path));
        validator.setCertificateVerifier(verifier);
        var reports = validator.validateDocument();
        var simple = reports.getSimpleReport();
        said = reports.getDiagnosticData().getSignatures().stream()
            .map(one -> "{\"intact\":" + (one.isSignatureIntact() && one.isSignatureValid() && one.isSignatureByteRangeValid())
                + ",\"trusted\":" + one.isTrustedChain() + ",\"changed\":\"" + changes(one) + "\",\"level\":\"" + one.getSignatureFormat()
                + "\",\"indication\":\"" + simple.getIndication(one.getId()) + "\",\"reason\":\"" + simple.getSubIndication(one.getId()) + "\"}")
            .collect(Collectors.joining(",", "[", "]"));
      } catch (RuntimeException error) {
        said = "[{\"error\":\"" + error.getClass().getSimpleName() + "\"}]";
      }
      System.out.println(said);
    }
  }

  /** The gravest kind of change after a signature. */
  static String changes(SignatureWrapper one) {
    if (!one.getPdfUndefinedChanges().isEmpty()) return "other";
    if (!one.getPdfAnnotationChanges().isEmpty()) return "annotations";
    if (!one.getPdfSignatureOrFormFillChanges().isEmpty()) return "forms";
    return one.getPdfExtensionChanges().isEmpty() ? "none" : "validation";
  }
}
