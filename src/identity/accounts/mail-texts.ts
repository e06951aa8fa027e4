import type { MailDraft } from '../../platform/mail/compose.ts';
import type { Orphaned } from './membership/orphaned-resources.ts';

/** Every mail of this part, in one language. A further language is one more value of this type. `lives` is in seconds. */
export type AccountMails = {
  verification(firstName: string, code: string, lives: number): MailDraft;
  alreadyRegistered(baseUrl: string): MailDraft;
  passwordReset(firstName: string, link: string, lives: number): MailDraft;
  passwordChanged(firstName: string): MailDraft;
  sessionEnded(firstName: string): MailDraft;
  newDevice(firstName: string, device: string, at: string): MailDraft;
  twoFactorOn(firstName: string): MailDraft;
  twoFactorOff(firstName: string): MailDraft;
  /** A program may act for the person from now on: what it calls itself, and where it is. */
  appConnected(firstName: string, program: string, host: string, baseUrl: string): MailDraft;
  /** The authenticator app is off, and passkeys are left. */
  appOff(firstName: string): MailDraft;
  passkeyAdded(firstName: string, name: string): MailDraft;
  passkeyRemoved(firstName: string, name: string, left: 'password alone' | 'second factor left'): MailDraft;
  identityLinked(firstName: string, provider: string): MailDraft;
  identityRemoved(firstName: string, provider: string, by: 'person' | 'administrator'): MailDraft;
  /** Somebody signed in at a provider with the address of an account that is linked with another identity. */
  identityRejected(firstName: string, provider: string): MailDraft;
  /** To an owner or administrator: the same of a member. */
  memberIdentityRejected(member: string, provider: string): MailDraft;
  backupCodeUsed(firstName: string, left: number): MailDraft;
  /** To an owner: what somebody has made who is gone or was reset. */
  orphaned(firstName: string, about: Orphaned): MailDraft;
  /** Somebody guesses at the account: what, and whether it was stopped for good. */
  guessing(firstName: string, what: 'password' | 'codes' | 'codes stopped'): MailDraft;
  emailChange(firstName: string, code: string, lives: number): MailDraft;
  emailChangeNotice(firstName: string): MailDraft;
  emailChanged(firstName: string): MailDraft;
  ownershipGiven(firstName: string): MailDraft;
  ownershipTaken(firstName: string): MailDraft;
  accountDeleted(firstName: string): MailDraft;
};
