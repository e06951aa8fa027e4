import { defineTexts } from '../../texts/texts.ts';

/** The names and descriptions of the templates that each team has, by the name of the template. */
export const libraryTexts = defineTexts({
  en: {
    'contract-review-and-signature': ['Contract review and signature', 'A contract is reviewed, approved, signed and filed.'],
    'nda-approval': ['NDA approval', 'A non-disclosure agreement is checked against the standard terms, approved and signed.'],
    'policy-acknowledgement': ['Policy acknowledgement', 'A policy is approved, announced, and acknowledged by all its readers.'],
    'vendor-due-diligence': [
      'Vendor due diligence',
      'A supplier is assessed for security, privacy and finances at the same time, then approved.',
    ],
    'dsar-response': [
      'Request for personal data',
      'A request for access to personal data gets a response within the month of Article 12(3) GDPR.',
    ],
    'incident-report': [
      'Incident report',
      'An incident is contained, assessed and reported within the 72 hours of Article 33 GDPR, and reviewed.',
    ],
    'data-retention-review': [
      'Data retention review',
      'Records past their retention period are listed, released by their owner, and deleted.',
    ],
    dpia: ['Data protection impact assessment', 'An assessment by Article 35 GDPR: described, assessed, advised on and decided.'],
  },
  de: {
    'contract-review-and-signature': [
      'Vertragsprüfung und Unterschrift',
      'Ein Vertrag wird geprüft, freigegeben, unterschrieben und abgelegt.',
    ],
    'nda-approval': [
      'Freigabe einer Vertraulichkeitsvereinbarung',
      'Eine Vertraulichkeitsvereinbarung wird an den Standardbedingungen gemessen, freigegeben und unterschrieben.',
    ],
    'policy-acknowledgement': [
      'Kenntnisnahme einer Richtlinie',
      'Eine Richtlinie wird freigegeben, bekannt gemacht und von allen zur Kenntnis genommen.',
    ],
    'vendor-due-diligence': [
      'Lieferantenprüfung',
      'Ein Lieferant wird gleichzeitig auf Sicherheit, Datenschutz und Finanzen geprüft und dann freigegeben.',
    ],
    'dsar-response': [
      'Auskunftsersuchen',
      'Ein Ersuchen um Auskunft über personenbezogene Daten wird in der Monatsfrist des Art. 12 Abs. 3 DSGVO beantwortet.',
    ],
    'incident-report': [
      'Meldung eines Vorfalls',
      'Ein Vorfall wird eingedämmt, bewertet, in der Frist von 72 Stunden des Art. 33 DSGVO gemeldet und ausgewertet.',
    ],
    'data-retention-review': [
      'Prüfung der Aufbewahrung',
      'Unterlagen nach Ablauf ihrer Frist werden aufgelistet, zur Löschung freigegeben und gelöscht.',
    ],
    dpia: [
      'Datenschutz-Folgenabschätzung',
      'Eine Folgenabschätzung nach Art. 35 DSGVO: Beschreibung, Bewertung, Beratung und Entscheidung.',
    ],
  },
});
