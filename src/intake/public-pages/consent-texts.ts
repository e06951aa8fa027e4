import type { Language } from '../../platform/mail/compose.ts';

/** The texts of the page to connect an app, in one language. */
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
  approvers: string;
  approversHint: string;
  approveYourself: string;
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
  noScript: 'This page needs JavaScript. Enable it for this page, then start again in the app.',
  title: 'An app requests access to your account',
  intro: 'Sign in to see the requested access. The app does not get your password.',
  appName: 'Name',
  describedAt: 'Metadata address',
  answeredAt: 'Redirects to',
  ownMachine: '{host}, an app on your own computer',
  unverified: 'This service has not verified the app. Continue only if you started this yourself, in an app that you trust.',
  email: 'E-mail address',
  password: 'Password',
  signIn: 'Sign in',
  passkey: 'Use a passkey',
  code: 'Code of your authenticator app, or a backup code',
  codeTitle: 'Enter the code',
  codeIntro: 'A second factor protects your account.',
  askTitle: 'Allow this app to act for you?',
  team: 'Team',
  you: 'You',
  wants: 'The app requests access to the following, within your own rights:',
  consequence:
    'The app can pass the data on, for example to an AI model. You can disconnect the app at any time; changing your password disconnects it too.',
  changes: 'The app can request changes',
  changesHint:
    'Without this option the app only reads. With it, you get a task for each change, and the change is made only after your approval.',
  approvers: 'Approval policy for the changes',
  approversHint: 'With a policy, its approvers get the tasks. You cannot approve the changes yourself.',
  approveYourself: 'No policy: you approve each change',
  allow: 'Allow',
  deny: 'Deny',
  left: 'You can close this page',
  leftText: 'Continue in the app.',
  failed: 'The app could not be connected',
  refused: 'Invalid request',
  unknownApp: 'The app is not known, or its metadata could not be read.',
  unknownRedirect: 'The redirect address is not registered for the app.',
  nothingDone: 'Nothing was changed, and the app got no response. Start again in the app, or contact its developer.',
  scopes: {
    'folders:read': 'read folders and their contents',
    'documents:read': 'search documents, and read their texts and versions',
    'workflows:read': 'read workflows, their steps and their history',
    'tasks:read': 'read tasks and their comments',
    'interfaces:read': 'read forms and their submissions',
    'registries:read': 'read registries and their records',
    'team:read': 'read the members of the team',
    'audit:read': 'read the audit journal of the team',
    'tasks:write': 'create tasks and comment on them',
    'workflows:write': 'start workflows',
    'registries:write': 'create records in registries',
  },
  problems: {
    invalid_credentials: 'The e-mail address or the password is wrong.',
    sso_required: 'Your team signs in through its own provider, which this page does not support. Use an app with an API client instead.',
    no_passkey: 'No passkey was used. Try again, or sign in with your password.',
    authorization_request_expired: 'The request has expired. Start again in the app.',
    no_scopes_requested: 'The app requests no access that you have yourself.',
    approval_policy_not_found: 'The approval policy no longer exists. Choose another one.',
    connected_app_limit: 'You have connected the maximum number of apps. Disconnect one first.',
  },
};

const de: ConsentTexts = {
  noScript: 'Diese Seite braucht JavaScript. Schalten Sie es für diese Seite ein, und beginnen Sie in der App erneut.',
  title: 'Eine App möchte auf Ihr Konto zugreifen',
  intro: 'Melden Sie sich an, um den angefragten Zugriff zu sehen. Die App erhält Ihr Passwort nicht.',
  appName: 'Name',
  describedAt: 'Adresse der Metadaten',
  answeredAt: 'Leitet weiter zu',
  ownMachine: '{host}, einer App auf Ihrem eigenen Rechner',
  unverified:
    'Dieser Dienst hat die App nicht geprüft. Fahren Sie nur fort, wenn Sie dies selbst begonnen haben, in einer App, der Sie vertrauen.',
  email: 'E-Mail-Adresse',
  password: 'Passwort',
  signIn: 'Anmelden',
  passkey: 'Passkey verwenden',
  code: 'Code Ihrer Authenticator-App oder ein Ersatzcode',
  codeTitle: 'Code eingeben',
  codeIntro: 'Ein zweiter Faktor schützt Ihr Konto.',
  askTitle: 'Darf diese App für Sie handeln?',
  team: 'Team',
  you: 'Sie',
  wants: 'Die App möchte im Rahmen Ihrer eigenen Rechte Folgendes:',
  consequence:
    'Die App kann die Daten weitergeben, zum Beispiel an ein KI-Modell. Sie können die App jederzeit trennen; auch ein neues Passwort trennt sie.',
  changes: 'Die App darf Änderungen anfragen',
  changesHint:
    'Ohne diese Option liest die App nur. Mit ihr erhalten Sie für jede Änderung eine Aufgabe, und die Änderung geschieht erst nach Ihrer Genehmigung.',
  approvers: 'Freigaberegel für die Änderungen',
  approversHint: 'Mit einer Regel erhalten deren Genehmigende die Aufgaben. Sie können die Änderungen dann nicht selbst genehmigen.',
  approveYourself: 'Keine Regel: Sie genehmigen jede Änderung',
  allow: 'Erlauben',
  deny: 'Ablehnen',
  left: 'Sie können diese Seite schließen',
  leftText: 'Machen Sie in der App weiter.',
  failed: 'Die App konnte nicht verbunden werden',
  refused: 'Ungültige Anfrage',
  unknownApp: 'Die App ist nicht bekannt, oder ihre Metadaten konnten nicht gelesen werden.',
  unknownRedirect: 'Die Weiterleitungsadresse ist für die App nicht registriert.',
  nothingDone:
    'Es wurde nichts geändert, und die App hat keine Antwort erhalten. Beginnen Sie in der App erneut, oder wenden Sie sich an deren Entwickler.',
  scopes: {
    'folders:read': 'Ordner und ihre Inhalte lesen',
    'documents:read': 'Dokumente suchen und ihre Texte und Versionen lesen',
    'workflows:read': 'Workflows, ihre Schritte und ihren Verlauf lesen',
    'tasks:read': 'Aufgaben und ihre Kommentare lesen',
    'interfaces:read': 'Formulare und ihre Einreichungen lesen',
    'registries:read': 'Register und ihre Einträge lesen',
    'team:read': 'die Mitglieder des Teams lesen',
    'audit:read': 'das Journal des Teams lesen',
    'tasks:write': 'Aufgaben erstellen und kommentieren',
    'workflows:write': 'Workflows starten',
    'registries:write': 'Einträge in Registern anlegen',
  },
  problems: {
    invalid_credentials: 'Die E-Mail-Adresse oder das Passwort ist falsch.',
    sso_required:
      'Ihr Team meldet sich über einen eigenen Anbieter an, den diese Seite nicht unterstützt. Verwenden Sie eine App mit einem API-Client.',
    no_passkey: 'Es wurde kein Passkey verwendet. Versuchen Sie es erneut, oder melden Sie sich mit dem Passwort an.',
    authorization_request_expired: 'Die Anfrage ist abgelaufen. Beginnen Sie in der App erneut.',
    no_scopes_requested: 'Die App fragt keinen Zugriff an, den Sie selbst haben.',
    approval_policy_not_found: 'Die Freigaberegel gibt es nicht mehr. Wählen Sie eine andere.',
    connected_app_limit: 'Sie haben die Höchstzahl an Apps verbunden. Trennen Sie zuerst eine.',
  },
};

export const consentTexts: Record<Language, ConsentTexts> = { en, de };
