import { withoutLinks } from '../../platform/text.ts';
import { inWords } from '../../platform/lifetimes.ts';
import type { AccountMails } from './mail-texts.ts';
import { dispositionLines } from './membership/orphaned-resources.ts';

export const german: AccountMails = {
  verification: (firstName, code, lives) => ({
    subject: `${code} ist Ihr Bestätigungscode`,
    paragraphs: [
      `Guten Tag ${firstName},`,
      `Ihr Bestätigungscode ist ${code}. Er gilt ${inWords(lives, 'de')}.`,
      'Haben Sie sich nicht registriert, brauchen Sie nichts zu tun: Ohne den Code geschieht nichts.',
    ],
  }),
  alreadyRegistered: (baseUrl) => ({
    subject: 'Sie haben bereits ein Konto',
    paragraphs: [
      'Jemand, vermutlich Sie selbst, wollte diese Adresse für ein Konto verwenden. Sie hat bereits eines.',
      `Melden Sie sich mit Ihrem Passwort an. Haben Sie es vergessen, fordern Sie dort ein neues an: ${baseUrl}/app/sign-in`,
      'Waren Sie es nicht, brauchen Sie nichts zu tun: Ihr Konto ist unverändert.',
    ],
  }),
  passwordReset: (firstName, link, lives) => ({
    subject: 'Neues Passwort festlegen',
    page: link,
    paragraphs: [
      `Guten Tag ${firstName},`,
      `um ein neues Passwort festzulegen, öffnen Sie innerhalb von ${inWords(lives, 'de')} diesen Link: ${link}`,
      'Haben Sie das nicht verlangt, brauchen Sie nichts zu tun: Ihr Passwort bleibt, wie es ist.',
    ],
  }),
  passwordChanged: (firstName) => ({
    subject: 'Ihr Passwort wurde geändert',
    paragraphs: [
      `Guten Tag ${firstName},`,
      'das Passwort Ihres Kontos wurde geändert, und alle anderen Geräte wurden abgemeldet.',
      'Waren Sie es nicht, setzen Sie Ihr Passwort sofort zurück und verständigen Sie die Verwaltung Ihres Teams.',
    ],
  }),
  sessionEnded: (firstName) => ({
    subject: 'Eine Ihrer Sitzungen wurde beendet',
    paragraphs: [
      `Guten Tag ${firstName},`,
      'ein alter Anmeldeschlüssel von Ihnen wurde noch einmal verwendet. Er könnte kopiert worden sein, deshalb wurde seine Sitzung beendet.',
      'Melden Sie sich neu an. Sehen Sie Sitzungen, die Sie nicht kennen, ändern Sie Ihr Passwort.',
    ],
  }),
  newDevice: (firstName, device, at) => ({
    subject: 'Ein neues Gerät hat sich bei Ihrem Konto angemeldet',
    paragraphs: [
      `Guten Tag ${firstName},`,
      `bei Ihrem Konto hat sich ein bisher unbekanntes Gerät angemeldet, um ${at}: ${device}.`,
      'Waren Sie es, brauchen Sie nichts zu tun. Wenn nicht, ändern Sie sofort Ihr Passwort: Alle anderen Geräte werden dadurch abgemeldet.',
    ],
  }),
  twoFactorOn: (firstName) => ({
    subject: 'Die Zwei-Faktor-Anmeldung ist eingeschaltet',
    paragraphs: [
      `Guten Tag ${firstName},`,
      'ab jetzt braucht die Anmeldung bei Ihrem Konto einen Code Ihrer Authenticator-App. Bewahren Sie die Ersatzcodes sicher auf.',
      'Waren Sie es nicht, setzen Sie Ihr Passwort sofort zurück und verständigen Sie die Verwaltung Ihres Teams.',
    ],
  }),
  twoFactorOff: (firstName) => ({
    subject: 'Die Zwei-Faktor-Anmeldung ist ausgeschaltet',
    paragraphs: [
      `Guten Tag ${firstName},`,
      'die Anmeldung bei Ihrem Konto braucht ab jetzt nur noch das Passwort.',
      'Waren Sie es nicht, setzen Sie Ihr Passwort sofort zurück und schalten Sie die Zwei-Faktor-Anmeldung wieder ein.',
    ],
  }),
  appOff: (firstName) => ({
    subject: 'Ihre Authentifizierungs-App wurde ausgeschaltet',
    paragraphs: [
      `Guten Tag ${firstName},`,
      'mit Codes Ihrer App ist keine Anmeldung mehr möglich. Die Anmeldung braucht einen Ihrer Passkeys oder einen Ersatzcode.',
      'Waren Sie es nicht, setzen Sie Ihr Passwort sofort zurück und prüfen Sie Ihre Passkeys.',
    ],
  }),
  passkeyAdded: (firstName, name) => ({
    subject: 'Ihrem Konto wurde ein Passkey hinzugefügt',
    paragraphs: [
      `Guten Tag ${firstName},`,
      `mit dem Passkey „${name}“ ist ab jetzt die Anmeldung bei Ihrem Konto möglich; die Anmeldung mit dem Passwort braucht zusätzlich einen Passkey oder Code.`,
      'Waren Sie es nicht, löschen Sie den Passkey und ändern Sie sofort Ihr Passwort.',
    ],
  }),
  passkeyRemoved: (firstName, name, left) => ({
    subject: 'Ein Passkey Ihres Kontos wurde entfernt',
    paragraphs: [
      `Guten Tag ${firstName},`,
      `mit dem Passkey „${name}“ ist keine Anmeldung mehr möglich.`,
      left === 'password alone'
        ? 'Er war Ihr letzter zweiter Faktor: Die Anmeldung braucht ab jetzt nur noch das Passwort. Waren Sie es nicht, setzen Sie Ihr Passwort sofort zurück.'
        : 'Waren Sie es nicht, setzen Sie Ihr Passwort sofort zurück und prüfen Sie Ihre anderen Passkeys.',
    ],
  }),
  identityLinked: (firstName, provider) => ({
    subject: 'Ihr Konto ist mit der Anmeldung Ihrer Organisation verbunden',
    paragraphs: [
      `Guten Tag ${firstName},`,
      `Sie haben sich zum ersten Mal über ${provider} angemeldet. Ab jetzt ist so die Anmeldung bei Ihrem Konto möglich.`,
      'Waren Sie es nicht, verständigen Sie sofort die Verwaltung Ihres Teams.',
    ],
  }),
  identityRemoved: (firstName, provider, by) => ({
    subject: 'Eine Verbindung Ihres Kontos wurde entfernt',
    paragraphs: [
      `Guten Tag ${firstName},`,
      by === 'person'
        ? `mit Ihrer Identität bei ${provider} ist keine Anmeldung bei Ihrem Konto mehr möglich. Ihre anderen Sitzungen sind beendet.`
        : `die Verwaltung Ihres Teams hat Ihre Identität bei ${provider} von Ihrem Konto entfernt. Ihre Sitzungen sind beendet.`,
      by === 'person'
        ? 'Waren Sie es nicht, setzen Sie Ihr Passwort sofort zurück und verständigen Sie die Verwaltung Ihres Teams.'
        : 'Melden Sie sich neu an. Haben Sie das nicht erwartet, fragen Sie die Verwaltung Ihres Teams.',
    ],
  }),
  identityRejected: (firstName, provider) => ({
    subject: 'Eine Anmeldung mit Ihrer Adresse wurde abgelehnt',
    paragraphs: [
      `Guten Tag ${firstName},`,
      `über ${provider} hat sich eine Person mit Ihrer E-Mail-Adresse angemeldet, aber nicht mit der Identität, mit der Ihr Konto verbunden ist. Wir haben die Anmeldung abgelehnt. Ihr Konto ist unverändert.`,
      'Waren Sie es selbst, bitten Sie die Verwaltung Ihres Teams, die alte Verbindung zu lösen. Waren Sie es nicht, melden Sie es der Verwaltung: Ihre Adresse wurde womöglich an eine andere Person vergeben.',
    ],
  }),
  memberIdentityRejected: (member, provider) => ({
    subject: 'Eine Anmeldung mit der Adresse eines Mitglieds wurde abgelehnt',
    paragraphs: [
      `Über ${provider} hat sich eine Person mit der E-Mail-Adresse von ${member} angemeldet, aber nicht mit der Identität, mit der das Konto verbunden ist. Wir haben die Anmeldung abgelehnt.`,
      `Hat ${member} beim Anbieter eine neue Identität, entfernen Sie die alte: Die Team-API listet die Identitäten jedes Mitglieds. Wurde die Adresse an eine andere Person vergeben, ändern Sie die Adresse von ${member} oder entfernen Sie das Mitglied.`,
    ],
  }),
  backupCodeUsed: (firstName, left) => ({
    subject: 'Ein Ersatzcode wurde verwendet',
    paragraphs: [
      `Guten Tag ${firstName},`,
      `ein Ersatzcode Ihres Kontos wurde verwendet. Es bleiben ${left}.`,
      left < 4
        ? 'Erstellen Sie bald neue: Ohne App und ohne Codes können Sie sich nicht anmelden.'
        : 'Waren Sie es nicht, ändern Sie sofort Ihr Passwort.',
    ],
  }),
  orphaned: (firstName, { person, why, made }) => ({
    subject: made.some(({ now }) => now === 'waits')
      ? 'API-Clients warten darauf, dass Sie sie übernehmen'
      : `Sehen Sie an, was ${person} in Ihrem Team angelegt hat`,
    paragraphs: [
      `Guten Tag ${firstName},`,
      {
        gone: `${person} ist kein aktives Mitglied Ihres Teams mehr. Was diese Person angelegt hat, lässt andere herein oder etwas hinaus, und sie kennt womöglich die Geheimnisse:`,
        lowered: `${person} administriert Ihr Team nicht mehr. Was diese Person dabei angelegt hat, lässt andere herein oder etwas hinaus, und sie kennt womöglich die Geheimnisse:`,
        reset: `${person} ist durch ein Zurücksetzen wieder in das eigene Konto gelangt. Wer es inzwischen hatte, kennt womöglich die Geheimnisse dessen, was diese Person angelegt hat:`,
      }[why],
      ...dispositionLines(
        made,
        {
          client: 'API-Clients',
          connection: 'Verbindungen zu Anbietern',
          endpoint: 'Webhook-Endpunkte',
          invitation: 'Einladungen',
        },
        { waits: 'abgeschaltet, bis jemand sie übernimmt', ended: 'beendet', 'goes on': 'die weiterlaufen' },
      ),
      'Sehen Sie jedes an, das weiterläuft: Geben Sie ihm ein neues Geheimnis oder löschen Sie es.',
    ],
  }),
  guessing: (firstName, what) => ({
    subject: what === 'password' ? 'Jemand versucht, Ihr Passwort zu erraten' : 'Jemand versucht, Ihre Anmeldecodes zu erraten',
    paragraphs: [
      `Guten Tag ${firstName},`,
      ...(what === 'password'
        ? [
            'innerhalb einer Stunde wurden an Ihrem Konto viele falsche Passwörter versucht. In der nächsten Stunde können Fremde keine weiteren versuchen.',
            'Falls Sie sich nicht anmelden können: Verwenden Sie ein Gerät, auf dem Sie angemeldet sind, oder setzen Sie per E-Mail ein neues Passwort und melden Sie sich im selben Browser damit an.',
          ]
        : [
            what === 'codes'
              ? 'an Ihrem Konto wurden zehn falsche Codes hintereinander versucht, von jemandem, der bis dahin gekommen ist: Ihr Passwort ist womöglich bekannt.'
              : 'an Ihrem Konto wurden hundert falsche Codes hintereinander versucht. Codes dieser Art werden nicht mehr angenommen: Verwenden Sie einen Ersatzcode oder einen Passkey, oder wenden Sie sich an das Personal des Dienstes.',
            'Falls Sie das nicht waren, setzen Sie sofort ein neues Passwort.',
          ]),
    ],
  }),
  emailChange: (firstName, code, lives) => ({
    subject: `${code} bestätigt Ihre neue Adresse`,
    paragraphs: [
      `Guten Tag ${firstName},`,
      `um diese Adresse für Ihr Konto zu verwenden, geben Sie innerhalb von ${inWords(lives, 'de')} den Code ${code} ein.`,
      'Haben Sie das nicht verlangt, brauchen Sie nichts zu tun: Ohne den Code geschieht nichts.',
    ],
  }),
  emailChangeNotice: (firstName) => ({
    subject: 'Ihre E-Mail-Adresse soll geändert werden',
    paragraphs: [
      `Guten Tag ${firstName},`,
      'jemand, der bei Ihrem Konto angemeldet ist, möchte eine andere E-Mail-Adresse verwenden. Sie ändert sich, sobald die neue Adresse bestätigt ist.',
      'Waren Sie es nicht, ändern Sie sofort Ihr Passwort.',
    ],
  }),
  emailChanged: (firstName) => ({
    subject: 'Ihre E-Mail-Adresse wurde geändert',
    paragraphs: [
      `Guten Tag ${firstName},`,
      'Ihr Konto verwendet ab jetzt eine andere E-Mail-Adresse; mit dieser ist keine Anmeldung mehr möglich.',
      'Waren Sie es nicht, verständigen Sie sofort die Verwaltung Ihres Teams oder den Betreiber des Dienstes.',
    ],
  }),
  ownershipGiven: (firstName) => ({
    subject: 'Sie haben Ihr Team übergeben',
    paragraphs: [
      `Guten Tag ${firstName},`,
      'Ihr Team gehört jetzt jemand anderem, und Sie gehören zu seiner Verwaltung.',
      'Waren Sie es nicht, verständigen Sie sofort den Betreiber des Dienstes.',
    ],
  }),
  ownershipTaken: (firstName) => ({
    subject: 'Ihr Team gehört jetzt Ihnen',
    paragraphs: [`Guten Tag ${firstName},`, 'Ihr Team wurde Ihnen übergeben. Sie können alles darin verwalten und es weitergeben.'],
  }),
  appConnected: (firstName, appName, host, baseUrl) => ({
    subject: 'Ein Programm darf ab jetzt für Sie handeln',
    paragraphs: [
      `Guten Tag ${firstName},`,
      `Sie haben einem Programm, das sich „${withoutLinks(appName)}“ nennt (${withoutLinks(host)}), erlaubt, unter ${baseUrl} für Sie zu lesen.`,
      'Waren Sie das nicht, ändern Sie sofort Ihr Passwort: damit endet, was Programme für Sie dürfen.',
    ],
  }),
  accountDeleted: (firstName) => ({
    subject: 'Ihr Konto wurde gelöscht',
    paragraphs: [
      `Guten Tag ${firstName},`,
      'Ihr Konto wurde gelöscht, und was es von Ihnen wusste, ist getilgt. Die Adresse kann neu registriert werden.',
    ],
  }),
};
