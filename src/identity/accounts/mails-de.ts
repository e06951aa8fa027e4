import { withoutLinks } from '../../platform/text.ts';
import { inWords } from '../../platform/lifetimes.ts';
import { consolePages } from '../../platform/mail/console-pages.ts';
import type { AccountMails } from './mail-texts.ts';
import { dispositionLines } from './membership/orphaned-resources.ts';

const signIn = { label: 'Anmelden', page: consolePages.signIn() };
const ownAccount = { label: 'Konto prüfen', page: consolePages.me() };
const newPassword = { label: 'Neues Passwort festlegen', page: consolePages.forgotPassword() };
const team = { label: 'Teameinstellungen öffnen', page: consolePages.settings('team') };

export const german: AccountMails = {
  verification: (firstName, code, lives) => ({
    subject: `${code} ist Ihr Bestätigungscode`,
    paragraphs: [
      `Guten Tag ${firstName},`,
      `Ihr Bestätigungscode ist ${code}. Er ist ${inWords(lives, 'de')} gültig.`,
      'Wenn Sie sich nicht registriert haben, ignorieren Sie diese Mail.',
    ],
  }),
  alreadyRegistered: () => ({
    subject: 'Sie haben bereits ein Konto',
    paragraphs: [
      'Mit dieser Adresse sollte ein Konto registriert werden, vermutlich von Ihnen. Die Adresse hat bereits ein Konto.',
      'Melden Sie sich mit Ihrem Passwort an. Wenn Sie es vergessen haben, fordern Sie dort ein neues an.',
      'Wenn Sie das nicht waren, brauchen Sie nichts zu tun. Ihr Konto ist unverändert.',
    ],
    button: signIn,
  }),
  passwordReset: (firstName, link, lives) => ({
    subject: 'Neues Passwort festlegen',
    paragraphs: [
      `Guten Tag ${firstName},`,
      `um ein neues Passwort festzulegen, öffnen Sie innerhalb von ${inWords(lives, 'de')} diese Seite.`,
      'Wenn Sie das nicht angefordert haben, ignorieren Sie diese Mail. Ihr Passwort bleibt unverändert.',
    ],
    button: { ...newPassword, page: link },
  }),
  teamCreated: (firstName, name, password) => ({
    subject: 'Ihr neues Team',
    paragraphs: [
      `Guten Tag ${firstName},`,
      `für Sie wurde auf diesem Dienst das Team „${name}“ angelegt. Es gehört Ihnen, und Sie können die anderen einladen.`,
      password
        ? `Um Ihr Passwort festzulegen, öffnen Sie innerhalb von ${inWords(password.lives, 'de')} diese Seite. Danach fordern Sie auf der Anmeldeseite einen neuen Link an.`
        : 'Melden Sie sich mit Ihrem Konto an, und wählen Sie das Team im Menü.',
      'Wenn Sie das nicht erwartet haben, ignorieren Sie diese Mail.',
    ],
    button: password ? { label: 'Passwort festlegen', page: password.link } : signIn,
  }),
  passwordChanged: (firstName) => ({
    subject: 'Ihr Passwort wurde geändert',
    paragraphs: [
      `Guten Tag ${firstName},`,
      'das Passwort Ihres Kontos wurde geändert. Wir haben alle anderen Geräte abgemeldet.',
      'Wenn Sie das nicht waren, setzen Sie Ihr Passwort sofort zurück und verständigen Sie die Verwaltung Ihres Teams.',
    ],
    button: ownAccount,
  }),
  sessionEnded: (firstName) => ({
    subject: 'Eine Ihrer Sitzungen wurde beendet',
    paragraphs: [
      `Guten Tag ${firstName},`,
      'ein alter Anmeldeschlüssel Ihres Kontos wurde erneut verwendet. Er wurde möglicherweise kopiert, deshalb haben wir die zugehörige Sitzung beendet.',
      'Melden Sie sich neu an. Wenn Sie unbekannte Sitzungen sehen, ändern Sie Ihr Passwort.',
    ],
    button: signIn,
  }),
  newDevice: (firstName, device, at) => ({
    subject: 'Ein neues Gerät hat sich bei Ihrem Konto angemeldet',
    paragraphs: [
      `Guten Tag ${firstName},`,
      `bei Ihrem Konto hat sich ein bisher unbekanntes Gerät angemeldet, um ${at}: ${device}.`,
      'Wenn Sie das waren, brauchen Sie nichts zu tun. Wenn nicht, ändern Sie sofort Ihr Passwort. Das meldet alle anderen Geräte ab.',
    ],
    button: ownAccount,
  }),
  twoFactorOn: (firstName) => ({
    subject: 'Die Zwei-Faktor-Anmeldung ist eingeschaltet',
    paragraphs: [
      `Guten Tag ${firstName},`,
      'die Anmeldung bei Ihrem Konto erfordert jetzt einen Code Ihrer Authenticator-App. Bewahren Sie die Ersatzcodes sicher auf.',
      'Wenn Sie das nicht waren, setzen Sie Ihr Passwort sofort zurück und verständigen Sie die Verwaltung Ihres Teams.',
    ],
    button: ownAccount,
  }),
  twoFactorOff: (firstName) => ({
    subject: 'Die Zwei-Faktor-Anmeldung ist ausgeschaltet',
    paragraphs: [
      `Guten Tag ${firstName},`,
      'die Anmeldung bei Ihrem Konto erfordert jetzt nur noch das Passwort.',
      'Wenn Sie das nicht waren, setzen Sie Ihr Passwort sofort zurück und schalten Sie die Zwei-Faktor-Anmeldung wieder ein.',
    ],
    button: ownAccount,
  }),
  appOff: (firstName) => ({
    subject: 'Ihre Authentifizierungs-App wurde ausgeschaltet',
    paragraphs: [
      `Guten Tag ${firstName},`,
      'mit Codes Ihrer App ist keine Anmeldung mehr möglich. Die Anmeldung erfordert einen Ihrer Passkeys oder einen Ersatzcode.',
      'Wenn Sie das nicht waren, setzen Sie Ihr Passwort sofort zurück und prüfen Sie Ihre Passkeys.',
    ],
    button: ownAccount,
  }),
  passkeyAdded: (firstName, name) => ({
    subject: 'Ihrem Konto wurde ein Passkey hinzugefügt',
    paragraphs: [
      `Guten Tag ${firstName},`,
      `mit dem Passkey „${name}“ können Sie sich jetzt bei Ihrem Konto anmelden. Die Anmeldung mit dem Passwort erfordert zusätzlich einen Passkey oder Code.`,
      'Wenn Sie das nicht waren, löschen Sie den Passkey und ändern Sie sofort Ihr Passwort.',
    ],
    button: ownAccount,
  }),
  passkeyRemoved: (firstName, name, left) => ({
    subject: 'Ein Passkey Ihres Kontos wurde entfernt',
    paragraphs: [
      `Guten Tag ${firstName},`,
      `mit dem Passkey „${name}“ ist keine Anmeldung mehr möglich.`,
      left === 'password alone'
        ? 'Er war Ihr letzter zweiter Faktor. Die Anmeldung erfordert jetzt nur noch das Passwort. Wenn Sie das nicht waren, setzen Sie Ihr Passwort sofort zurück.'
        : 'Wenn Sie das nicht waren, setzen Sie Ihr Passwort sofort zurück und prüfen Sie Ihre anderen Passkeys.',
    ],
    button: ownAccount,
  }),
  identityLinked: (firstName, provider) => ({
    subject: 'Ihr Konto ist mit der Anmeldung Ihrer Organisation verbunden',
    paragraphs: [
      `Guten Tag ${firstName},`,
      `Sie haben sich zum ersten Mal über ${provider} angemeldet. Sie können sich jetzt auf diesem Weg bei Ihrem Konto anmelden.`,
      'Wenn Sie das nicht waren, verständigen Sie sofort die Verwaltung Ihres Teams.',
    ],
    button: ownAccount,
  }),
  identityRemoved: (firstName, provider, by) => ({
    subject: 'Eine Verbindung Ihres Kontos wurde entfernt',
    paragraphs: [
      `Guten Tag ${firstName},`,
      by === 'person'
        ? `mit Ihrer Identität bei ${provider} ist keine Anmeldung bei Ihrem Konto mehr möglich. Ihre anderen Sitzungen sind beendet.`
        : `die Verwaltung Ihres Teams hat Ihre Identität bei ${provider} von Ihrem Konto entfernt. Ihre Sitzungen sind beendet.`,
      by === 'person'
        ? 'Wenn Sie das nicht waren, setzen Sie Ihr Passwort sofort zurück und verständigen Sie die Verwaltung Ihres Teams.'
        : 'Melden Sie sich neu an. Wenn Sie das nicht erwartet haben, fragen Sie die Verwaltung Ihres Teams.',
    ],
    button: by === 'person' ? ownAccount : signIn,
  }),
  identityRejected: (firstName, provider) => ({
    subject: 'Eine Anmeldung mit Ihrer Adresse wurde abgelehnt',
    paragraphs: [
      `Guten Tag ${firstName},`,
      `über ${provider} hat sich eine Person mit Ihrer E-Mail-Adresse angemeldet, aber nicht mit der Identität, mit der Ihr Konto verbunden ist. Wir haben die Anmeldung abgelehnt. Ihr Konto ist unverändert.`,
      'Wenn Sie das waren, bitten Sie die Verwaltung Ihres Teams, die alte Verbindung zu lösen. Wenn nicht, melden Sie es der Verwaltung: Ihre Adresse wurde womöglich an eine andere Person vergeben.',
    ],
  }),
  memberIdentityRejected: (member, provider) => ({
    subject: 'Eine Anmeldung mit der Adresse eines Mitglieds wurde abgelehnt',
    paragraphs: [
      `Über ${provider} hat sich eine Person mit der E-Mail-Adresse von ${member} angemeldet, aber nicht mit der Identität, mit der das Konto verbunden ist. Wir haben die Anmeldung abgelehnt.`,
      `Wenn ${member} beim Anbieter eine neue Identität hat, entfernen Sie die alte. Die Team-API listet die Identitäten jedes Mitglieds. Wenn die Adresse an eine andere Person vergeben wurde, ändern Sie die Adresse von ${member} oder entfernen Sie das Mitglied.`,
    ],
    button: { label: 'Mitglieder öffnen', page: consolePages.settings('members') },
  }),
  backupCodeUsed: (firstName, left) => ({
    subject: 'Ein Ersatzcode wurde verwendet',
    paragraphs: [
      `Guten Tag ${firstName},`,
      `ein Ersatzcode Ihres Kontos wurde verwendet. Es bleiben ${left}.`,
      left < 4
        ? 'Erstellen Sie bald neue. Ohne App und ohne Codes können Sie sich nicht anmelden.'
        : 'Wenn Sie das nicht waren, ändern Sie sofort Ihr Passwort.',
    ],
    button: ownAccount,
  }),
  orphaned: (firstName, { person, why, made }) => ({
    subject: made.some(({ now }) => now === 'waits')
      ? 'API-Clients warten darauf, dass Sie sie übernehmen'
      : `Prüfen Sie, was ${person} in Ihrem Team angelegt hat`,
    paragraphs: [
      `Guten Tag ${firstName},`,
      {
        gone: `${person} ist kein aktives Mitglied Ihres Teams mehr. Die folgenden Zugänge hat diese Person angelegt. Möglicherweise kennt sie die zugehörigen Geheimnisse:`,
        lowered: `${person} administriert Ihr Team nicht mehr. Die folgenden Zugänge hat diese Person angelegt. Möglicherweise kennt sie die zugehörigen Geheimnisse:`,
        reset: `Die Anmeldung von ${person} wurde zurückgesetzt. Wenn das Konto davor in fremden Händen war, sind die Geheimnisse der folgenden Zugänge möglicherweise bekannt:`,
      }[why],
      ...dispositionLines(
        made,
        {
          client: 'API-Clients',
          connection: 'Verbindungen zu Anbietern',
          endpoint: 'Webhook-Endpunkte',
          invitation: 'Einladungen',
        },
        { waits: 'abgeschaltet, bis ein Mitglied sie übernimmt', ended: 'beendet', 'goes on': 'weiterhin aktiv' },
      ),
      'Prüfen Sie jeden aktiven Zugang: Vergeben Sie ein neues Geheimnis, oder löschen Sie ihn.',
    ],
    button: { label: 'Verbindungen öffnen', page: consolePages.connections() },
  }),
  guessing: (firstName, what) => ({
    subject: what === 'password' ? 'Jemand versucht, Ihr Passwort zu erraten' : 'Jemand versucht, Ihre Anmeldecodes zu erraten',
    paragraphs: [
      `Guten Tag ${firstName},`,
      ...(what === 'password'
        ? [
            'innerhalb einer Stunde wurden an Ihrem Konto viele falsche Passwörter versucht. In der nächsten Stunde können Fremde keine weiteren versuchen.',
            'Wenn Sie sich nicht anmelden können, verwenden Sie ein Gerät, auf dem Sie angemeldet sind. Oder setzen Sie per E-Mail ein neues Passwort, und melden Sie sich im selben Browser damit an.',
          ]
        : [
            what === 'codes'
              ? 'an Ihrem Konto wurden zehn falsche Codes hintereinander versucht. Dazu ist Ihr Passwort nötig: Es ist möglicherweise bekannt.'
              : 'an Ihrem Konto wurden hundert falsche Codes hintereinander versucht. Codes dieser Art werden nicht mehr angenommen. Verwenden Sie einen Ersatzcode oder einen Passkey, oder wenden Sie sich an das Personal des Dienstes.',
            'Wenn Sie das nicht waren, setzen Sie sofort ein neues Passwort.',
          ]),
    ],
    button: newPassword,
  }),
  emailChange: (firstName, code, lives) => ({
    subject: `${code} bestätigt Ihre neue Adresse`,
    paragraphs: [
      `Guten Tag ${firstName},`,
      `um diese Adresse für Ihr Konto zu verwenden, geben Sie innerhalb von ${inWords(lives, 'de')} den Code ${code} ein.`,
      'Wenn Sie das nicht angefordert haben, ignorieren Sie diese Mail.',
    ],
  }),
  emailChangeNotice: (firstName) => ({
    subject: 'Ihre E-Mail-Adresse soll geändert werden',
    paragraphs: [
      `Guten Tag ${firstName},`,
      'für Ihr Konto wurde eine andere E-Mail-Adresse angefordert. Die Adresse ändert sich, sobald die neue bestätigt ist.',
      'Wenn Sie das nicht waren, ändern Sie sofort Ihr Passwort.',
    ],
    button: ownAccount,
  }),
  emailChanged: (firstName) => ({
    subject: 'Ihre E-Mail-Adresse wurde geändert',
    paragraphs: [
      `Guten Tag ${firstName},`,
      'Ihr Konto hat jetzt eine andere E-Mail-Adresse. Mit dieser Adresse ist keine Anmeldung mehr möglich.',
      'Wenn Sie das nicht waren, verständigen Sie sofort die Verwaltung Ihres Teams oder den Betreiber des Dienstes.',
    ],
  }),
  ownershipGiven: (firstName) => ({
    subject: 'Sie haben Ihr Team übergeben',
    paragraphs: [
      `Guten Tag ${firstName},`,
      'Ihr Team hat jetzt einen anderen Eigentümer. Sie sind jetzt Administrator.',
      'Wenn Sie das nicht waren, verständigen Sie sofort den Betreiber des Dienstes.',
    ],
    button: team,
  }),
  ownershipTaken: (firstName) => ({
    subject: 'Ihr Team gehört jetzt Ihnen',
    paragraphs: [`Guten Tag ${firstName},`, 'Ihr Team wurde Ihnen übergeben. Sie können alles darin verwalten und es weitergeben.'],
    button: team,
  }),
  appConnected: (firstName, appName, host, baseUrl) => ({
    subject: 'Eine App darf jetzt für Sie handeln',
    paragraphs: [
      `Guten Tag ${firstName},`,
      `Sie haben der App „${withoutLinks(appName)}“ (${withoutLinks(host)}) erlaubt, unter ${baseUrl} für Sie zu lesen.`,
      'Wenn Sie das nicht waren, ändern Sie sofort Ihr Passwort. Damit enden alle Zugriffe verbundener Apps.',
    ],
    button: ownAccount,
  }),
  accountDeleted: (firstName) => ({
    subject: 'Ihr Konto wurde gelöscht',
    paragraphs: [
      `Guten Tag ${firstName},`,
      'Ihr Konto und Ihre persönlichen Daten wurden gelöscht. Die Adresse kann neu registriert werden.',
    ],
  }),
};
