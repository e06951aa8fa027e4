import type { Language } from '../../platform/mail/compose.ts';

/** What the page says on which a person lets a program act for them, in one language. */
export type ConsentTexts = {
  noScript: string;
  title: string;
  intro: string;
  appName: string;
  describedAt: string;
  answeredAt: string;
  ownMachine: string;
  unverified: string;
  email: string;
  password: string;
  signIn: string;
  passkey: string;
  code: string;
  codeTitle: string;
  codeIntro: string;
  askTitle: string;
  team: string;
  you: string;
  wants: string;
  consequence: string;
  changes: string;
  changesHint: string;
  allow: string;
  deny: string;
  left: string;
  leftText: string;
  failed: string;
  refused: string;
  unknownApp: string;
  unknownRedirect: string;
  nothingDone: string;
  scopes: Record<string, string>;
  problems: Record<string, string>;
};

const en: ConsentTexts = {
  noScript: 'This page needs JavaScript. Switch it on for this page, then begin again in the program.',
  title: 'A program wants to act for you',
  intro: 'Sign in to see what it asks for. Your password stays here: the program is not given it.',
  appName: 'Calls itself',
  describedAt: 'Described at',
  answeredAt: 'Sends you on to',
  ownMachine: '{host}, a program on your own computer',
  unverified: 'Nobody has checked who is behind it. Go on only if you have just begun this yourself, in a program that you trust.',
  email: 'E-mail address',
  password: 'Password',
  signIn: 'Sign in',
  passkey: 'Use a passkey',
  code: 'Code of your authenticator app, or a backup code',
  codeTitle: 'Enter the code',
  codeIntro: 'Your account is protected by a second factor.',
  askTitle: 'Let this program act for you?',
  team: 'Team',
  you: 'You',
  wants: 'It could, as far as you can yourself:',
  consequence:
    'What it reads leaves this service, and may be passed on to a model. You can end this at any time; a new password ends it too.',
  changes: 'It may also ask to change things',
  changesHint:
    'Without the tick it changes nothing. With it, each change is put to you as a task before it is made: nothing happens until you have read and approved it, and then once.',
  allow: 'Allow',
  deny: 'Do not allow',
  left: 'You can close this page',
  leftText: 'Go on in the program.',
  failed: 'This does not work',
  refused: 'This request cannot be answered',
  unknownApp: 'The program that has sent you here is not known, or what it says of itself cannot be read.',
  unknownRedirect: 'The program wants to be answered at an address that it has not named before.',
  nothingDone: 'Nothing was done, and nobody was told anything. Begin again in the program, or ask whoever makes it.',
  scopes: {
    'folders:read': 'see folders and what lies in them',
    'documents:read': 'find documents and read their text and versions',
    'workflows:read': 'read workflows, their steps and their history',
    'tasks:read': 'read tasks and what was said on them',
    'interfaces:read': 'read forms and what was submitted by them',
    'registries:read': 'read registries and their records',
    'team:read': 'see who is in the team',
    'audit:read': 'read the journal of the team: who did what',
    'tasks:write': 'give tasks and comment on them',
    'workflows:write': 'start workflows',
    'registries:write': 'make records in registries',
  },
  problems: {
    invalid_credentials: 'The address or the password is wrong.',
    sso_required: 'Your team signs in through its own provider, which this page cannot do. Use a program with an API client instead.',
    no_passkey: 'No passkey was used. Try again, or sign in with your password.',
    authorization_request_expired: 'That took too long. Begin again in the program.',
    no_scopes_requested: 'The program asks for nothing that you may do yourself.',
    connected_app_limit: 'You have connected as many programs as there can be. Disconnect one first.',
  },
};

const de: ConsentTexts = {
  noScript: 'Diese Seite braucht JavaScript. Schalten Sie es für diese Seite ein und beginnen Sie im Programm noch einmal.',
  title: 'Ein Programm möchte für Sie handeln',
  intro: 'Melden Sie sich an, um zu sehen, was es möchte. Ihr Passwort bleibt hier: das Programm bekommt es nicht.',
  appName: 'Nennt sich',
  describedAt: 'Beschrieben unter',
  answeredAt: 'Schickt Sie weiter zu',
  ownMachine: '{host}, einem Programm auf Ihrem eigenen Rechner',
  unverified:
    'Niemand hat geprüft, wer dahinter steht. Gehen Sie nur weiter, wenn Sie das eben selbst begonnen haben, in einem Programm, dem Sie vertrauen.',
  email: 'E-Mail-Adresse',
  password: 'Passwort',
  signIn: 'Anmelden',
  passkey: 'Mit einem Passkey',
  code: 'Code Ihrer Authenticator-App oder ein Backup-Code',
  codeTitle: 'Code eingeben',
  codeIntro: 'Ihr Konto ist durch einen zweiten Faktor geschützt.',
  askTitle: 'Darf dieses Programm für Sie handeln?',
  team: 'Team',
  you: 'Sie',
  wants: 'Es könnte, soweit Sie es selbst können:',
  consequence:
    'Was es liest, verlässt diesen Dienst und wird vielleicht an ein Modell weitergegeben. Sie können das jederzeit beenden; auch ein neues Passwort beendet es.',
  changes: 'Es darf auch fragen, ob es etwas ändern soll',
  changesHint:
    'Ohne das Häkchen ändert es nichts. Mit ihm bekommen Sie jede Änderung vorher als Aufgabe: es geschieht nichts, bevor Sie sie gelesen und genehmigt haben, und dann einmal.',
  allow: 'Erlauben',
  deny: 'Nicht erlauben',
  left: 'Sie können diese Seite schließen',
  leftText: 'Machen Sie im Programm weiter.',
  failed: 'Das geht nicht',
  refused: 'Diese Anfrage kann nicht beantwortet werden',
  unknownApp: 'Das Programm, das Sie hierher geschickt hat, ist nicht bekannt, oder was es von sich sagt, lässt sich nicht lesen.',
  unknownRedirect: 'Das Programm möchte die Antwort an einer Adresse, die es vorher nicht genannt hat.',
  nothingDone:
    'Es ist nichts geschehen, und niemand hat etwas erfahren. Beginnen Sie im Programm noch einmal, oder fragen Sie, wer es macht.',
  scopes: {
    'folders:read': 'Ordner sehen und was darin liegt',
    'documents:read': 'Dokumente finden und ihren Text und ihre Fassungen lesen',
    'workflows:read': 'Abläufe lesen, ihre Schritte und ihren Verlauf',
    'tasks:read': 'Aufgaben lesen und was dazu gesagt wurde',
    'interfaces:read': 'Formulare lesen und was durch sie eingesandt wurde',
    'registries:read': 'Register und ihre Einträge lesen',
    'team:read': 'sehen, wer im Team ist',
    'audit:read': 'das Journal des Teams lesen: wer was getan hat',
    'tasks:write': 'Aufgaben geben und etwas dazu sagen',
    'workflows:write': 'Abläufe beginnen',
    'registries:write': 'Einträge in Registern anlegen',
  },
  problems: {
    invalid_credentials: 'Die Adresse oder das Passwort ist falsch.',
    sso_required:
      'Ihr Team meldet sich über einen eigenen Anbieter an, was diese Seite nicht kann. Nehmen Sie ein Programm mit einem API-Client.',
    no_passkey: 'Es wurde kein Passkey benutzt. Versuchen Sie es noch einmal, oder melden Sie sich mit dem Passwort an.',
    authorization_request_expired: 'Das hat zu lange gedauert. Beginnen Sie im Programm noch einmal.',
    no_scopes_requested: 'Das Programm möchte nichts, was Sie selbst dürfen.',
    connected_app_limit: 'Sie haben so viele Programme verbunden, wie es geben kann. Trennen Sie zuerst eines.',
  },
};

export const consentTexts: Record<Language, ConsentTexts> = { en, de };
