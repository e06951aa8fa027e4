import type { SignedFileWords } from './en.ts';

export const de: SignedFileWords = {
  title: 'Unterschriebenes PDF prüfen',
  intro:
    'Prüfen Sie, ob ein PDF seit der Unterschrift unverändert ist, mit welchem Zertifikat und wann es unterschrieben wurde. Die Datei wird an diesen Dienst gesendet, geprüft und nicht gespeichert.',
  codeTitle: 'Prüfcode prüfen',
  choose: 'Unterschriebenes PDF, bis 25 MB',
  check: 'Unterschriften prüfen',
  another: 'Anderes Dokument prüfen',
  request: {
    title: 'Mit diesem Dienst unterschrieben',
    document: 'Dokument',
    team: 'Angefragt von',
    sealedAt: 'Gesiegelt',
    roles: { signer: 'Unterschrieben von', approver: 'Freigegeben von' },
    known: {
      link: 'über den Link in der E-Mail',
      code: 'über den Link und einen per E-Mail gesendeten Code',
      account: 'angemeldet mit dem eigenen Konto',
    },
  },
  signatures: 'Unterschriften in der Datei',
  signature: 'Unterschrift {n}',
  timestamp: 'Zeitstempel {n}',
  by: 'Zertifikat von',
  issuer: 'Ausgestellt von',
  at: 'Zeit',
  atSaid: '{time}, laut Datei',
  atVouched: '{time}, laut Zeitstempeldienst',
  covers: 'Umfasst',
  whole: 'die ganze Datei',
  part: 'nur einen Teil: Danach folgt weiterer Inhalt',
  result: 'Ergebnis',
  added: 'Nach der Unterschrift hinzugefügt',
  addedText: '{bytes} Bytes',
  addedTypes: 'Typen: {types}',
  validPart: 'Gültig für den umfassten Teil',
  results: { valid: 'Gültig', modified: 'Nach der Unterschrift verändert', invalid: 'Ungültig', unknown: 'Unbekannt' },
  limits: 'Was diese Prüfung beweist',
  limitsList: [
    'Sie zeigt, ob die Datei seit der Unterschrift unverändert ist, und das Zertifikat jeder Unterschrift.',
    'Die Identität einer Person ist nur so sicher wie die Prüfung durch den Aussteller des Zertifikats. Dieser Dienst fragt Aussteller nicht, ob ein Zertifikat widerrufen wurde.',
    'Sie zeigt nicht, ob eine Unterschrift fortgeschritten oder qualifiziert ist. In Dokumenten dieses Dienstes ist die Unterschrift in der Datei das Siegel des Dienstes. Wer unterschrieben hat und wie die Personen identifiziert wurden, steht auf der Zertifikatsseite am Ende.',
  ],
  said: {
    valid: {
      title: 'Gültig und seit der Unterschrift unverändert',
      text: 'Nach der Unterschrift wurde nichts Sichtbares geändert oder hinzugefügt, und dieser Dienst vertraut jedem Zertifikat.',
    },
    content_changed: {
      title: 'Nach der Unterschrift verändert',
      text: 'Der Inhalt der Datei weicht vom unterschriebenen Inhalt ab. Verlassen Sie sich nicht darauf, und fragen Sie nach dem Original.',
    },
    added_after_signing: {
      title: 'Nach der Unterschrift ergänzt',
      text: 'Der unterschriebene Inhalt ist noch da, aber die Datei hat weiteren Inhalt, den diese Unterschrift nicht umfasst. Das kann eine weitere Unterschrift oder eine veränderte Seite sein: Fragen Sie die Person, von der Sie die Datei haben.',
    },
    broken_signature: {
      title: 'Eine Unterschrift ist gefälscht',
      text: 'Sie wurde nicht mit dem Schlüssel ihres Zertifikats erstellt.',
    },
    weak_algorithm: { title: 'Eine Unterschrift beweist nichts', text: 'Sie verwendet ein Verfahren, das sich heute fälschen lässt.' },
    revoked: { title: 'Das Zertifikat wurde widerrufen', text: 'Andere können seinen Schlüssel kennen.' },
    not_a_pdf: { title: 'Das ist kein PDF', text: 'Wählen Sie das PDF aus, das Sie erhalten haben.' },
    unsigned: {
      title: 'Keine Unterschrift gefunden',
      text: 'Die Datei enthält keinen Nachweis, dass sie unverändert ist. Das Bild einer Unterschrift ist keine digitale Signatur.',
    },
    too_many_signatures: { title: 'Zu viele Unterschriften', text: 'Dieser Dienst prüft höchstens 50 Unterschriften.' },
    not_understood: {
      title: 'Unbekannte Art der Unterschrift',
      text: 'Dieser Dienst unterstützt sie nicht. Öffnen Sie die Datei in einem PDF-Programm, das Unterschriften prüft.',
    },
    expired: {
      title: 'Unverändert, aber das Zertifikat ist abgelaufen',
      text: 'Die Datei ist seit der Unterschrift unverändert. Es gibt keinen vertrauenswürdigen Nachweis, dass das Zertifikat bei der Unterschrift gültig war.',
    },
    untrusted: {
      title: 'Unverändert, aber die unterzeichnende Person ist unbekannt',
      text: 'Die Datei ist seit der Unterschrift unverändert. Dieser Dienst kennt den Aussteller des Zertifikats nicht, und jeder kann ein Zertifikat auf jeden Namen erstellen.',
    },
  },
  tooLarge: 'Die Datei ist größer als 25 MB. Größere Dateien werden nicht geprüft.',
  none: 'Es wurde keine Datei gesendet. Wählen Sie das PDF aus, das Sie erhalten haben.',
};
