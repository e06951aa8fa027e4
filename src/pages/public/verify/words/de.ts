import type { SignedFileWords } from './en.ts';

export const de: SignedFileWords = {
  title: 'Eine unterschriebene PDF prüfen',
  lead: 'Ob eine PDF so ist, wie sie unterschrieben wurde, mit wessen Zertifikat und wann, gleich wo das war. Was Sie auswählen, wird hierher gesendet, angesehen und nicht aufbewahrt.',
  codeTitle: 'Einen Prüfcode nachsehen',
  choose: 'Unterschriebene PDF, bis 25 MB',
  check: 'Unterschriften prüfen',
  another: 'Ein anderes Dokument prüfen',
  signatures: 'Unterschriften in der Datei',
  signature: 'Unterschrift {n}',
  timestamp: 'Zeitstempel {n}',
  by: 'Zertifikat von',
  issuer: 'Ausgestellt von',
  at: 'Zeit',
  atSaid: '{time}, wie die Datei sagt',
  atVouched: '{time}, wie ein Zeitstempeldienst sagt',
  covers: 'Umfasst',
  whole: 'die ganze Datei',
  part: 'nur einen Teil: Dahinter steht mehr',
  result: 'Ergebnis',
  added: 'Nach der Unterschrift hinzugefügt',
  addedText: '{bytes} Bytes',
  addedTypes: 'Von diesen Arten: {types}',
  results: { valid: 'Gültig', modified: 'Nach der Unterschrift verändert', invalid: 'Nicht gut', unknown: 'Unbekannt' },
  limits: 'Was das sagt und was nicht',
  limitsList: [
    'Es sagt, ob die Datei so ist, wie sie unterschrieben wurde, und mit wessen Zertifikat.',
    'Es sagt nicht, wer jemand ist, über das hinaus, was der Aussteller des Zertifikats geprüft hat, und nicht, ob andere ein Zertifikat zurückgenommen haben: Niemand sonst wird gefragt.',
    'Es sagt nicht, ob eine Unterschrift eine fortgeschrittene oder qualifizierte ist. In Dokumenten, die mit diesem Dienst unterschrieben wurden, ist die Unterschrift in der Datei das Siegel des Dienstes; wer unterschrieben hat, und woran man die Personen erkannt hat, steht auf der Zertifikatsseite am Ende.',
  ],
  said: {
    valid: {
      title: 'Gültig und seit der Unterschrift unverändert',
      text: 'Nichts, was ein PDF-Programm zeigt, wurde seitdem verändert oder hinzugefügt, und dieser Dienst vertraut jedem Zertifikat.',
    },
    content_changed: {
      title: 'Nach der Unterschrift verändert',
      text: 'Was unterschrieben wurde, ist nicht, was die Datei jetzt sagt. Verlassen Sie sich nicht darauf, und fragen Sie nach dem Original.',
    },
    added_after_signing: {
      title: 'Nach der Unterschrift ergänzt',
      text: 'Was unterschrieben wurde, ist noch da, und dahinter steht mehr, das diese Unterschrift nicht umfasst. Es kann eine weitere Unterschrift sein oder eine veränderte Seite: Fragen Sie, wer Ihnen die Datei gegeben hat.',
    },
    broken_signature: {
      title: 'Eine Unterschrift ist nicht echt',
      text: 'Sie wurde nicht mit dem Schlüssel des Zertifikats gemacht, das sie nennt.',
    },
    weak_algorithm: { title: 'Eine Unterschrift beweist nichts', text: 'Sie ist von einer Art, die man inzwischen fälschen kann.' },
    revoked: { title: 'Das Zertifikat wurde zurückgenommen', text: 'Andere können seinen Schlüssel kennen.' },
    not_a_pdf: { title: 'Das ist keine PDF', text: 'Wählen Sie die PDF aus, die Sie bekommen haben.' },
    unsigned: {
      title: 'Keine Unterschrift gefunden',
      text: 'Nichts in der Datei sagt, ob sie verändert wurde. Das Bild einer Unterschrift ist keine.',
    },
    too_many_signatures: { title: 'Zu viele Unterschriften', text: 'Mehr als 50 werden nicht angesehen.' },
    not_understood: {
      title: 'Eine Unterschrift wird nicht verstanden',
      text: 'Sie ist von einer Art, die dieser Dienst nicht kennt. Öffnen Sie die Datei in einem PDF-Programm, das Unterschriften prüft.',
    },
    expired: {
      title: 'Unverändert, und das Zertifikat ist abgelaufen',
      text: 'Die Datei ist so, wie sie unterschrieben wurde. Niemand, dem vertraut wird, sagt, dass das war, als das Zertifikat galt.',
    },
    untrusted: {
      title: 'Unverändert, von jemandem, der hier nicht bekannt ist',
      text: 'Die Datei ist so, wie sie unterschrieben wurde. Wer das Zertifikat ausgestellt hat, ist diesem Dienst nicht bekannt, und jeder kann eines auf jeden Namen machen.',
    },
  },
  tooLarge: 'Die Datei ist größer als 25 MB. Größere werden nicht angesehen.',
  none: 'Es war keine Datei dabei. Wählen Sie die PDF aus, die Sie bekommen haben.',
};
