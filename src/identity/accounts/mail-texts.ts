import type { MailDraft } from '../../platform/mail/compose.ts';
import type { Orphaned } from './membership/orphaned-resources.ts';

/** The mails of this domain in one language. Each language is one value of this type. `lives` is in seconds. */
export type AccountMails = {
  verification(firstName: string, code: string, lives: number): MailDraft;
  alreadyRegistered(): MailDraft;
  passwordReset(firstName: string, link: string, lives: number): MailDraft;
  /** The operator created a team. `password`: the link that sets the password of a new account, and its lifetime in seconds. */
  teamCreated(firstName: string, team: string, password: { link: string; lives: number } | undefined): MailDraft;
  passwordChanged(firstName: string): MailDraft;
  sessionEnded(firstName: string): MailDraft;
  newDevice(firstName: string, device: string, at: string): MailDraft;
  twoFactorOn(firstName: string): MailDraft;
  twoFactorOff(firstName: string): MailDraft;
  /** A connected app may now act for the user. `app` is the app’s own name, `host` its address. */
  appConnected(firstName: string, app: string, host: string, baseUrl: string): MailDraft;
  /** The authenticator app is off, and passkeys remain. */
  appOff(firstName: string): MailDraft;
  passkeyAdded(firstName: string, name: string): MailDraft;
  passkeyRemoved(firstName: string, name: string, left: 'password alone' | 'second factor left'): MailDraft;
  identityLinked(firstName: string, provider: string): MailDraft;
  identityRemoved(firstName: string, provider: string, by: 'person' | 'administrator'): MailDraft;
  /** A sign-in at a provider used the address of an account that is linked with another identity. */
  identityRejected(firstName: string, provider: string): MailDraft;
  /** Like `identityRejected`, about a member, for the owner and the administrators. */
  memberIdentityRejected(member: string, provider: string): MailDraft;
  backupCodeUsed(firstName: string, left: number): MailDraft;
  /** For the owner: resources of a user who has left or whose credentials were reset. */
  orphaned(firstName: string, about: Orphaned): MailDraft;
  /** A warning about guesses of passwords or codes. `codes stopped`: Chancery accepts no more codes. */
  guessing(firstName: string, what: 'password' | 'codes' | 'codes stopped'): MailDraft;
  emailChange(firstName: string, code: string, lives: number): MailDraft;
  emailChangeNotice(firstName: string): MailDraft;
  emailChanged(firstName: string): MailDraft;
  ownershipGiven(firstName: string): MailDraft;
  ownershipTaken(firstName: string): MailDraft;
  accountDeleted(firstName: string): MailDraft;
};
