import type { Language } from '../../platform/mail/compose.ts';

/** What a page says, in one language. `{time}` and `{count}` are put in later. */
type PageTexts = {
  noScript: string;
  back: string;
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
  /** What the script says. */
  script: {
    busy: string;
    required: string;
    unequal: string;
    offline: string;
    broken: string;
    wait: string;
    minutes: string;
    seconds: string;
    /** Why a value is refused, by the `rule` of a problem. */
    rules: Record<string, string>;
    /** What went wrong, by the `code` of a problem. */
    problems: Record<string, string>;
    roles: Record<string, string>;
  };
};

const en: PageTexts = {
  noScript: 'This page needs JavaScript. Switch it on for this page, then open the link in the mail again.',
  back: 'You can close this page.',
  password: 'New password',
  passwordHint: 'At least {count} characters. A sentence of your own is easy to keep in mind and hard to guess.',
  repeat: 'New password, once more',
  show: 'Show the password',
  reset: {
    title: 'Choose a new password',
    intro: 'Once it is set, every device that is signed in to your account is signed out.',
    button: 'Set the password',
    done: 'Your password is set',
    doneText: 'Sign in with the new password. Every device was signed out, and a mail was sent that tells of the change.',
    dead: 'This link does not work any more',
    deadText: 'A link is good for 30 minutes, once, and only the newest one counts. Ask for a new one where you sign in.',
  },
  staff: {
    title: 'Choose your staff password',
    intro: 'It is for the operation of the service. Sessions that are open are ended.',
    doneText: 'Sign in as staff with the new password.',
    deadText: 'A link is good for a day, once. Ask an operator of the service for a new one.',
  },
  invitation: {
    title: 'Join the team',
    intro: 'You are invited to this team. Enter your name and choose a password to join it.',
    team: 'Team',
    role: 'Your role',
    email: 'E-mail address',
    until: 'Good until',
    firstName: 'First name',
    lastName: 'Last name',
    password: 'Password',
    join: 'Join the team',
    signInTitle: 'Join with your account',
    signInIntro: 'You are invited to this team, and your address has an account already. Confirm with its password.',
    signInHint: 'You are in one team at a time: a team of your own that is empty is closed when you join.',
    signInButton: 'Confirm and join',
    codeTitle: 'Enter the code',
    codeIntro: 'Your account is protected by a second factor.',
    code: 'Code of your authenticator app, or a backup code',
    codeButton: 'Confirm and join',
    done: 'Welcome to the team',
    doneText: 'You are a member now. Sign in with your e-mail address and your password.',
    dead: 'This invitation does not work any more',
    deadText: 'An invitation is good for 72 hours, once, and only the newest link counts. Ask the team to invite you again.',
    failed: 'The invitation cannot be shown',
  },
  script: {
    busy: 'One moment …',
    required: 'Fill in this field.',
    unequal: 'The two passwords differ.',
    offline: 'The service cannot be reached. Check your connection and try again.',
    broken: 'Something went wrong. Try again in a moment.',
    wait: 'Try again in {time}.',
    minutes: 'minutes',
    seconds: 'seconds',
    rules: {
      min_length: 'The password needs at least {count} characters.',
      max_length: 'The password may have at most 128 characters.',
      password_common: 'Everybody tries this password first. Choose another one.',
      password_contains_identity: 'The password must not be your name or address, or the name of the service.',
      name: 'Enter a name of 1 to 100 characters, without addresses of web pages.',
      required: 'Fill in this field.',
    },
    problems: {
      invalid_credentials: 'The password is wrong. If you forgot it, reset it where you sign in; then open this link again.',
      account_disabled: 'Your account is disabled. Ask an administrator of your team.',
      invalid_code: 'The code is wrong or was used. Enter the newest code of the app, or another backup code.',
      invalid_challenge: 'That took too long, or too many codes were wrong. Enter your password again.',
      rate_limited: 'There were too many attempts.',
      unavailable: 'The service is busy.',
      already_member: 'You are a member of this team already. Sign in as usual.',
      member_of_another_team: 'You are in another team. Leave it first; then open this link again.',
      team_has_members: 'You own a team that has other members. Hand it over and leave it first; then open this link again.',
      team_not_empty:
        'Your own team still has things in it, and joining would close it. Move or delete them first; then open this link again.',
    },
    roles: { admin: 'Administrator', member: 'Member', viewer: 'Viewer' },
  },
};

const de: PageTexts = {
  noScript: 'Diese Seite braucht JavaScript. Schalten Sie es für diese Seite ein und öffnen Sie den Link aus der Mail noch einmal.',
  back: 'Sie können diese Seite schließen.',
  password: 'Neues Passwort',
  passwordHint: 'Mindestens {count} Zeichen. Ein eigener Satz lässt sich leicht merken und schwer erraten.',
  repeat: 'Neues Passwort, noch einmal',
  show: 'Passwort anzeigen',
  reset: {
    title: 'Neues Passwort wählen',
    intro: 'Sobald es gesetzt ist, werden alle Geräte abgemeldet, die bei Ihrem Konto angemeldet sind.',
    button: 'Passwort setzen',
    done: 'Ihr Passwort ist gesetzt',
    doneText: 'Melden Sie sich mit dem neuen Passwort an. Alle Geräte wurden abgemeldet, und eine Mail berichtet Ihnen von der Änderung.',
    dead: 'Dieser Link gilt nicht mehr',
    deadText: 'Ein Link gilt 30 Minuten lang, einmal, und nur der neueste zählt. Fordern Sie bei der Anmeldung einen neuen an.',
  },
  staff: {
    title: 'Ihr Passwort für den Betrieb wählen',
    intro: 'Es gilt für den Betrieb des Dienstes. Offene Sitzungen werden beendet.',
    doneText: 'Melden Sie sich mit dem neuen Passwort beim Betrieb an.',
    deadText: 'Ein Link gilt einen Tag lang, einmal. Bitten Sie die Betreiber des Dienstes um einen neuen.',
  },
  invitation: {
    title: 'Dem Team beitreten',
    intro: 'Sie sind in dieses Team eingeladen. Geben Sie Ihren Namen an und wählen Sie ein Passwort, um beizutreten.',
    team: 'Team',
    role: 'Ihre Rolle',
    email: 'E-Mail-Adresse',
    until: 'Gilt bis',
    firstName: 'Vorname',
    lastName: 'Nachname',
    password: 'Passwort',
    join: 'Dem Team beitreten',
    signInTitle: 'Mit Ihrem Konto beitreten',
    signInIntro: 'Sie sind in dieses Team eingeladen, und zu Ihrer Adresse gibt es schon ein Konto. Bestätigen Sie mit dessen Passwort.',
    signInHint: 'Man gehört zu einem Team auf einmal: Ein eigenes leeres Team wird beim Beitritt geschlossen.',
    signInButton: 'Bestätigen und beitreten',
    codeTitle: 'Code eingeben',
    codeIntro: 'Ihr Konto ist mit einem zweiten Faktor geschützt.',
    code: 'Code Ihrer Authenticator-App oder ein Ersatzcode',
    codeButton: 'Bestätigen und beitreten',
    done: 'Willkommen im Team',
    doneText: 'Sie gehören jetzt dazu. Melden Sie sich mit Ihrer E-Mail-Adresse und Ihrem Passwort an.',
    dead: 'Diese Einladung gilt nicht mehr',
    deadText: 'Eine Einladung gilt 72 Stunden lang, einmal, und nur der neueste Link zählt. Bitten Sie das Team um eine neue.',
    failed: 'Die Einladung lässt sich nicht anzeigen',
  },
  script: {
    busy: 'Einen Moment …',
    required: 'Füllen Sie dieses Feld aus.',
    unequal: 'Die beiden Passwörter unterscheiden sich.',
    offline: 'Der Dienst ist nicht erreichbar. Prüfen Sie Ihre Verbindung und versuchen Sie es noch einmal.',
    broken: 'Etwas ist schiefgegangen. Versuchen Sie es gleich noch einmal.',
    wait: 'Versuchen Sie es in {time} wieder.',
    minutes: 'Minuten',
    seconds: 'Sekunden',
    rules: {
      min_length: 'Das Passwort braucht mindestens {count} Zeichen.',
      max_length: 'Das Passwort darf höchstens 128 Zeichen haben.',
      password_common: 'Dieses Passwort probieren alle zuerst. Wählen Sie ein anderes.',
      password_contains_identity: 'Das Passwort darf nicht Ihr Name, Ihre Adresse oder der Name des Dienstes sein.',
      name: 'Geben Sie einen Namen mit 1 bis 100 Zeichen an, ohne Adressen von Webseiten.',
      required: 'Füllen Sie dieses Feld aus.',
    },
    problems: {
      invalid_credentials:
        'Das Passwort ist falsch. Haben Sie es vergessen, setzen Sie es bei der Anmeldung zurück und öffnen dann diesen Link wieder.',
      account_disabled: 'Ihr Konto ist gesperrt. Wenden Sie sich an die Verwaltung Ihres Teams.',
      invalid_code: 'Der Code ist falsch oder verbraucht. Geben Sie den neuesten Code der App ein oder einen anderen Ersatzcode.',
      invalid_challenge: 'Das hat zu lange gedauert, oder zu viele Codes waren falsch. Geben Sie Ihr Passwort noch einmal ein.',
      rate_limited: 'Es gab zu viele Versuche.',
      unavailable: 'Der Dienst ist überlastet.',
      already_member: 'Sie gehören schon zu diesem Team. Melden Sie sich wie gewohnt an.',
      member_of_another_team: 'Sie gehören zu einem anderen Team. Verlassen Sie es zuerst und öffnen Sie dann diesen Link wieder.',
      team_has_members:
        'Ihnen gehört ein Team mit weiteren Mitgliedern. Übergeben und verlassen Sie es zuerst und öffnen Sie dann diesen Link wieder.',
      team_not_empty:
        'In Ihrem eigenen Team liegt noch etwas, und der Beitritt würde es schließen. Räumen Sie es zuerst und öffnen Sie dann diesen Link wieder.',
    },
    roles: { admin: 'Verwaltung', member: 'Mitglied', viewer: 'Lesezugriff' },
  },
};

export const pageTexts: Record<Language, PageTexts> = { en, de };
