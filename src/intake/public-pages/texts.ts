import type { Language } from '../../platform/mail/compose.ts';

/** The texts of a page in one language. `{time}` and `{count}` are replaced by values. */
type PageTexts = {
  noScript: string;
  back: string;
  /** The link to the sign-in of the console. */
  toSignIn: string;
  password: string;
  passwordHint: string;
  repeat: string;
  show: string;
  reset: { title: string; intro: string; button: string; done: string; doneText: string; dead: string; deadText: string };
  staff: { title: string; intro: string; doneText: string; deadText: string };
  invitation: {
    title: string;
    intro: string;
    team: string;
    role: string;
    email: string;
    until: string;
    firstName: string;
    lastName: string;
    password: string;
    join: string;
    signInTitle: string;
    signInIntro: string;
    signInHint: string;
    signInButton: string;
    codeTitle: string;
    codeIntro: string;
    code: string;
    codeButton: string;
    done: string;
    doneText: string;
    dead: string;
    deadText: string;
    failed: string;
  };
  restore: { title: string; intro: string; button: string; done: string; doneText: string; dead: string; deadText: string };
  /** The texts of the script. */
  script: {
    busy: string;
    required: string;
    unequal: string;
    offline: string;
    broken: string;
    wait: string;
    minutes: string;
    seconds: string;
    /** The error texts of values, by the `rule` of a problem. */
    rules: Record<string, string>;
    /** The error texts, by the `code` of a problem. */
    problems: Record<string, string>;
    roles: Record<string, string>;
  };
};

const en: PageTexts = {
  noScript: 'This page needs JavaScript. Enable it for this page, then open the link in the e-mail again.',
  back: 'You can close this page.',
  toSignIn: 'Sign in',
  password: 'New password',
  passwordHint: 'At least {count} characters. A personal sentence is easy to remember and hard to guess.',
  repeat: 'Repeat the new password',
  show: 'Show the password',
  reset: {
    title: 'Choose a new password',
    intro: 'Setting a new password signs you out on all devices.',
    button: 'Set the password',
    done: 'Your password was changed',
    doneText: 'Sign in with the new password. We signed you out on all devices and sent you a confirmation e-mail.',
    dead: 'This link has expired',
    deadText: 'Links expire after 30 minutes and work once. Use the newest e-mail, or request a new link on the sign-in page.',
  },
  staff: {
    title: 'Choose your staff password',
    intro: 'The password is for the operation of the service. Setting it ends all open sessions.',
    doneText: 'Sign in as staff with the new password.',
    deadText: 'Links expire after one day and work once. Ask an operator of the service for a new link.',
  },
  invitation: {
    title: 'Join the team',
    intro: 'You are invited to this team. Enter your name and choose a password to join it.',
    team: 'Team',
    role: 'Your role',
    email: 'E-mail address',
    until: 'Valid until',
    firstName: 'First name',
    lastName: 'Last name',
    password: 'Password',
    join: 'Join the team',
    signInTitle: 'Join with your account',
    signInIntro: 'You are invited to this team, and your address already has an account. Confirm with its password.',
    signInHint: 'Your other teams stay as they are. A team of your own that is empty closes when you join.',
    signInButton: 'Confirm and join',
    codeTitle: 'Enter the code',
    codeIntro: 'A second factor protects your account.',
    code: 'Code of your authenticator app, or a backup code',
    codeButton: 'Confirm and join',
    done: 'Welcome to the team',
    doneText: 'You are now a member. Sign in with your e-mail address and your password.',
    dead: 'This invitation has expired',
    deadText: 'Invitations expire after 72 hours and work once. Use the newest e-mail, or ask the team to invite you again.',
    failed: 'The invitation could not be loaded',
  },
  restore: {
    title: 'Restore deactivated users',
    intro: 'A directory deactivated many users of your team within an hour. Restore all of them if this was a mistake. They sign in again.',
    button: 'Restore all users',
    done: 'The users are being restored',
    doneText: 'They can sign in within a few minutes. Check your directory, so that it does not deactivate them again.',
    dead: 'This link has expired',
    deadText: 'Links expire after 7 days and work once. Activate the users in your directory.',
  },
  script: {
    busy: 'One moment …',
    required: 'Fill in this field.',
    unequal: 'The two passwords are different.',
    offline: 'The server is not reachable. Check your connection and try again.',
    broken: 'An error occurred. Try again in a moment.',
    wait: 'Try again in {time}.',
    minutes: 'minutes',
    seconds: 'seconds',
    rules: {
      min_length: 'The password needs at least {count} characters.',
      max_length: 'The password can have at most 128 characters.',
      password_common: 'This password is too common. Choose another one.',
      password_contains_identity: 'The password must not be your name or address, or the name of the service.',
      name: 'Enter a name of 1 to 100 characters, without web addresses.',
      required: 'Fill in this field.',
    },
    problems: {
      invalid_credentials: 'The password is wrong. If you forgot it, reset it on the sign-in page. Then open this link again.',
      account_disabled: 'Your account is disabled. Ask an administrator of your team.',
      invalid_code: 'The code is wrong or was already used. Enter the newest code of the app, or another backup code.',
      invalid_challenge: 'The sign-in took too long, or there were too many wrong codes. Enter your password again.',
      rate_limited: 'Too many attempts.',
      unavailable: 'The service is busy.',
      already_member: 'You are already a member of this team. Sign in as usual.',
      team_limit: 'You are a member of 50 teams, which is the limit. Leave one of them, then open this link again.',
      reauthentication_required: 'You signed in through another organisation. Enter your own password, then open this link again.',
    },
    roles: { admin: 'Administrator', member: 'Member', viewer: 'Viewer', guest: 'Guest', auditor: 'Auditor' },
  },
};

const de: PageTexts = {
  noScript: 'Diese Seite braucht JavaScript. Schalten Sie es für diese Seite ein, und öffnen Sie den Link in der E-Mail erneut.',
  back: 'Sie können diese Seite schließen.',
  toSignIn: 'Anmelden',
  password: 'Neues Passwort',
  passwordHint: 'Mindestens {count} Zeichen. Ein persönlicher Satz ist leicht zu merken und schwer zu erraten.',
  repeat: 'Neues Passwort wiederholen',
  show: 'Passwort anzeigen',
  reset: {
    title: 'Neues Passwort wählen',
    intro: 'Ein neues Passwort meldet Sie auf allen Geräten ab.',
    button: 'Passwort setzen',
    done: 'Ihr Passwort wurde geändert',
    doneText:
      'Melden Sie sich mit dem neuen Passwort an. Wir haben Sie auf allen Geräten abgemeldet und Ihnen eine Bestätigung per E-Mail gesendet.',
    dead: 'Dieser Link ist abgelaufen',
    deadText:
      'Links laufen nach 30 Minuten ab und gelten einmal. Verwenden Sie die neueste E-Mail, oder fordern Sie auf der Anmeldeseite einen neuen Link an.',
  },
  staff: {
    title: 'Ihr Passwort für den Betrieb wählen',
    intro: 'Das Passwort ist für den Betrieb des Dienstes. Damit enden alle offenen Sitzungen.',
    doneText: 'Melden Sie sich mit dem neuen Passwort beim Betrieb an.',
    deadText: 'Links laufen nach einem Tag ab und gelten einmal. Bitten Sie die Betreiber des Dienstes um einen neuen Link.',
  },
  invitation: {
    title: 'Dem Team beitreten',
    intro: 'Sie sind in dieses Team eingeladen. Geben Sie Ihren Namen an und wählen Sie ein Passwort, um beizutreten.',
    team: 'Team',
    role: 'Ihre Rolle',
    email: 'E-Mail-Adresse',
    until: 'Gültig bis',
    firstName: 'Vorname',
    lastName: 'Nachname',
    password: 'Passwort',
    join: 'Dem Team beitreten',
    signInTitle: 'Mit Ihrem Konto beitreten',
    signInIntro: 'Sie sind in dieses Team eingeladen, und Ihre Adresse hat bereits ein Konto. Bestätigen Sie mit dessen Passwort.',
    signInHint: 'Ihre anderen Teams bleiben unverändert. Ein eigenes leeres Team wird mit dem Beitritt geschlossen.',
    signInButton: 'Bestätigen und beitreten',
    codeTitle: 'Code eingeben',
    codeIntro: 'Ein zweiter Faktor schützt Ihr Konto.',
    code: 'Code Ihrer Authenticator-App oder ein Ersatzcode',
    codeButton: 'Bestätigen und beitreten',
    done: 'Willkommen im Team',
    doneText: 'Sie sind jetzt Mitglied. Melden Sie sich mit Ihrer E-Mail-Adresse und Ihrem Passwort an.',
    dead: 'Diese Einladung ist abgelaufen',
    deadText:
      'Einladungen laufen nach 72 Stunden ab und gelten einmal. Verwenden Sie die neueste E-Mail, oder bitten Sie das Team um eine neue Einladung.',
    failed: 'Die Einladung konnte nicht geladen werden',
  },
  restore: {
    title: 'Deaktivierte Personen wiederherstellen',
    intro:
      'Ein Verzeichnis hat innerhalb einer Stunde viele Personen Ihres Teams deaktiviert. War das ein Versehen, stellen Sie alle wieder her. Sie melden sich neu an.',
    button: 'Alle wiederherstellen',
    done: 'Die Personen werden wiederhergestellt',
    doneText: 'Sie können sich in wenigen Minuten anmelden. Prüfen Sie Ihr Verzeichnis, damit es sie nicht erneut deaktiviert.',
    dead: 'Dieser Link ist abgelaufen',
    deadText: 'Links gelten 7 Tage und einmal. Aktivieren Sie die Personen in Ihrem Verzeichnis.',
  },
  script: {
    busy: 'Einen Moment …',
    required: 'Füllen Sie dieses Feld aus.',
    unequal: 'Die beiden Passwörter sind verschieden.',
    offline: 'Der Server ist nicht erreichbar. Prüfen Sie Ihre Verbindung und versuchen Sie es erneut.',
    broken: 'Ein Fehler ist aufgetreten. Versuchen Sie es gleich erneut.',
    wait: 'Versuchen Sie es in {time} erneut.',
    minutes: 'Minuten',
    seconds: 'Sekunden',
    rules: {
      min_length: 'Das Passwort braucht mindestens {count} Zeichen.',
      max_length: 'Das Passwort darf höchstens 128 Zeichen haben.',
      password_common: 'Dieses Passwort ist zu häufig. Wählen Sie ein anderes.',
      password_contains_identity: 'Das Passwort darf nicht Ihr Name, Ihre Adresse oder der Name des Dienstes sein.',
      name: 'Geben Sie einen Namen mit 1 bis 100 Zeichen ein, ohne Webadressen.',
      required: 'Füllen Sie dieses Feld aus.',
    },
    problems: {
      invalid_credentials:
        'Das Passwort ist falsch. Haben Sie es vergessen, setzen Sie es auf der Anmeldeseite zurück. Öffnen Sie dann diesen Link erneut.',
      account_disabled: 'Ihr Konto ist gesperrt. Wenden Sie sich an die Verwaltung Ihres Teams.',
      invalid_code:
        'Der Code ist falsch oder wurde schon verwendet. Geben Sie den neuesten Code der App oder einen anderen Ersatzcode ein.',
      invalid_challenge: 'Die Anmeldung hat zu lange gedauert, oder zu viele Codes waren falsch. Geben Sie Ihr Passwort erneut ein.',
      rate_limited: 'Zu viele Versuche.',
      unavailable: 'Der Dienst ist überlastet.',
      already_member: 'Sie sind bereits Mitglied dieses Teams. Melden Sie sich wie gewohnt an.',
      team_limit:
        'Sie sind Mitglied von 50 Teams, mehr sind nicht möglich. Verlassen Sie eines davon, und öffnen Sie dann diesen Link erneut.',
      reauthentication_required:
        'Sie haben sich über eine andere Organisation angemeldet. Geben Sie Ihr eigenes Passwort ein, und öffnen Sie dann diesen Link erneut.',
    },
    roles: { admin: 'Verwaltung', member: 'Mitglied', viewer: 'Lesezugriff', guest: 'Gast', auditor: 'Prüfung' },
  },
};

export const pageTexts: Record<Language, PageTexts> = { en, de };
