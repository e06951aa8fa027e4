import { withoutLinks } from '../../platform/text.ts';
import { inWords } from '../../platform/lifetimes.ts';
import { consolePages } from '../../platform/mail/console-pages.ts';
import type { AccountMails } from './mail-texts.ts';
import { dispositionLines } from './membership/orphaned-resources.ts';

const signIn = { label: 'Sign in', page: consolePages.signIn() };
const ownAccount = { label: 'Check your account', page: consolePages.me() };
const newPassword = { label: 'Set a new password', page: consolePages.forgotPassword() };
const team = { label: 'Open the team settings', page: consolePages.settings('team') };

export const english: AccountMails = {
  verification: (firstName, code, lives) => ({
    subject: `${code} is your confirmation code`,
    paragraphs: [
      `Hello ${firstName},`,
      `Your confirmation code is ${code}. It is valid for ${inWords(lives)}.`,
      'If you did not register, ignore this mail.',
    ],
  }),
  alreadyRegistered: () => ({
    subject: 'You already have an account',
    paragraphs: [
      'This address was used for a new registration, probably by you. It already has an account.',
      'Sign in with your password. If you forgot it, request a new one there.',
      'If this was not you, you need to do nothing. Your account is unchanged.',
    ],
    button: signIn,
  }),
  passwordReset: (firstName, link, lives) => ({
    subject: 'Set a new password',
    paragraphs: [
      `Hello ${firstName},`,
      `To set a new password, open this page within ${inWords(lives)}.`,
      'If you did not request this, ignore this mail. Your password does not change.',
    ],
    button: { ...newPassword, page: link },
  }),
  teamCreated: (firstName, name, password) => ({
    subject: 'Your new team',
    paragraphs: [
      `Hello ${firstName},`,
      `The operator of this service created the team “${name}” for you. You own it, and can invite the others.`,
      password
        ? `To set your password, open this page within ${inWords(password.lives)}. Later, request a new link on the sign-in page.`
        : 'Sign in with your account, and choose the team in the menu.',
      'If you did not expect this, ignore this mail.',
    ],
    button: password ? { label: 'Set a password', page: password.link } : signIn,
  }),
  passwordChanged: (firstName) => ({
    subject: 'Your password was changed',
    paragraphs: [
      `Hello ${firstName},`,
      'The password of your account was changed. We signed out all other devices.',
      'If this was not you, reset your password at once and inform an administrator of your team.',
    ],
    button: ownAccount,
  }),
  sessionEnded: (firstName) => ({
    subject: 'One of your sessions was ended',
    paragraphs: [
      `Hello ${firstName},`,
      'An old sign-in key of your account was used again. It may have been copied, so we ended its session.',
      'Sign in again. If you see unknown sessions, change your password.',
    ],
    button: signIn,
  }),
  newDevice: (firstName, device, at) => ({
    subject: 'A new device signed in to your account',
    paragraphs: [
      `Hello ${firstName},`,
      `A new device signed in to your account, at ${at}: ${device}.`,
      'If this was you, you need to do nothing. If not, change your password at once. This signs out all other devices.',
    ],
    button: ownAccount,
  }),
  twoFactorOn: (firstName) => ({
    subject: 'Two-factor authentication is on',
    paragraphs: [
      `Hello ${firstName},`,
      'Signing in to your account now requires a code of your authenticator app. Keep the backup codes in a safe place.',
      'If this was not you, reset your password at once and inform an administrator of your team.',
    ],
    button: ownAccount,
  }),
  twoFactorOff: (firstName) => ({
    subject: 'Two-factor authentication is off',
    paragraphs: [
      `Hello ${firstName},`,
      'Signing in to your account now requires only the password.',
      'If this was not you, reset your password at once and turn two-factor authentication on again.',
    ],
    button: ownAccount,
  }),
  appOff: (firstName) => ({
    subject: 'Your authenticator app was turned off',
    paragraphs: [
      `Hello ${firstName},`,
      'Codes of your authenticator app no longer work for your account. Signing in requires one of your passkeys or a backup code.',
      'If this was not you, reset your password at once and check your passkeys.',
    ],
    button: ownAccount,
  }),
  passkeyAdded: (firstName, name) => ({
    subject: 'A passkey was added to your account',
    paragraphs: [
      `Hello ${firstName},`,
      `The passkey “${name}” can now sign in to your account. Signing in with the password also requires a passkey or a code.`,
      'If this was not you, delete the passkey and change your password at once.',
    ],
    button: ownAccount,
  }),
  passkeyRemoved: (firstName, name, left) => ({
    subject: 'A passkey was removed from your account',
    paragraphs: [
      `Hello ${firstName},`,
      `The passkey “${name}” can no longer sign in to your account.`,
      left === 'password alone'
        ? 'It was your last second factor. Signing in now requires only the password. If this was not you, reset your password at once.'
        : 'If this was not you, reset your password at once and check your other passkeys.',
    ],
    button: ownAccount,
  }),
  identityLinked: (firstName, provider) => ({
    subject: 'Your account is linked with your organisation’s sign-in',
    paragraphs: [
      `Hello ${firstName},`,
      `You signed in through ${provider} for the first time. You can now sign in to your account this way.`,
      'If this was not you, inform an administrator of your team at once.',
    ],
    button: ownAccount,
  }),
  identityRemoved: (firstName, provider, by) => ({
    subject: 'An identity was removed from your account',
    paragraphs: [
      `Hello ${firstName},`,
      by === 'person'
        ? `Your identity at ${provider} can no longer sign in to your account. Your other sessions have ended.`
        : `An administrator of your team removed your identity at ${provider} from your account. Your sessions have ended.`,
      by === 'person'
        ? 'If this was not you, reset your password at once and inform an administrator of your team.'
        : 'Sign in again. If you did not expect this, ask an administrator of your team.',
    ],
    button: by === 'person' ? ownAccount : signIn,
  }),
  identityRejected: (firstName, provider) => ({
    subject: 'A sign-in with your address was rejected',
    paragraphs: [
      `Hello ${firstName},`,
      `A person signed in through ${provider} with your e-mail address, but not with the identity that your account is linked with. We rejected the sign-in. Your account is unchanged.`,
      'If this was you, ask an administrator of your team to unlink the old identity. If not, report this to the administrator: your address may have been given to another person.',
    ],
  }),
  memberIdentityRejected: (member, provider) => ({
    subject: 'A sign-in with the address of a member was rejected',
    paragraphs: [
      `A person signed in through ${provider} with the e-mail address of ${member}, but not with the identity that the account is linked with. We rejected the sign-in.`,
      `If ${member} has a new identity at the provider, remove the old one: the team API lists the identities of each member. If the address was given to another person, change the address of ${member} or remove the member.`,
    ],
    button: { label: 'Open the members', page: consolePages.settings('members') },
  }),
  backupCodeUsed: (firstName, left) => ({
    subject: 'A backup code was used',
    paragraphs: [
      `Hello ${firstName},`,
      `A backup code of your account was used. ${left} remain.`,
      left < 4
        ? 'Create new ones soon. Without the app and without codes you cannot sign in.'
        : 'If this was not you, change your password at once.',
    ],
    button: ownAccount,
  }),
  orphaned: (firstName, { person, why, made }) => ({
    subject: made.some(({ now }) => now === 'waits')
      ? 'API clients wait for you to take them over'
      : `Check what ${person} created in your team`,
    paragraphs: [
      `Hello ${firstName},`,
      {
        gone: `${person} is no longer an active member of your team. They created the following access, and may know its secrets:`,
        lowered: `${person} is no longer an administrator of your team. They created the following access, and may know its secrets:`,
        reset: `The sign-in of ${person} was reset. If another person used the account before, they may know the secrets of the following access:`,
      }[why],
      ...dispositionLines(
        made,
        {
          client: 'API clients',
          connection: 'Connections to providers',
          endpoint: 'Webhook endpoints',
          invitation: 'Invitations',
        },
        { waits: 'deactivated until a member takes them over', ended: 'ended', 'goes on': 'still active' },
      ),
      'Check each item that is still active: replace its secret, or delete it.',
    ],
    button: { label: 'Open the connections', page: consolePages.connections() },
  }),
  guessing: (firstName, what) => ({
    subject: what === 'password' ? 'Attempts to guess your password' : 'Attempts to guess your sign-in codes',
    paragraphs: [
      `Hello ${firstName},`,
      ...(what === 'password'
        ? [
            'Many wrong passwords were tried on your account within an hour. Strangers cannot try again for the next hour.',
            'If you cannot sign in, use a device on which you are signed in. Or set a new password by mail, and sign in with it in the same browser.',
          ]
        : [
            what === 'codes'
              ? 'Ten wrong codes in a row were tried on your account. This requires your password, so it may be known.'
              : 'A hundred wrong codes in a row were tried on your account. Codes of this kind are no longer accepted. Use a backup code or a passkey, or ask staff of the service.',
            'If this was not you, set a new password at once.',
          ]),
    ],
    button: newPassword,
  }),
  emailChange: (firstName, code, lives) => ({
    subject: `${code} confirms your new address`,
    paragraphs: [
      `Hello ${firstName},`,
      `To use this address for your account, enter the code ${code} within ${inWords(lives)}.`,
      'If you did not request this, ignore this mail.',
    ],
  }),
  emailChangeNotice: (firstName) => ({
    subject: 'Your e-mail address is about to change',
    paragraphs: [
      `Hello ${firstName},`,
      'Another e-mail address was requested for your account. The address changes when the new one is confirmed.',
      'If this was not you, change your password at once.',
    ],
    button: ownAccount,
  }),
  emailChanged: (firstName) => ({
    subject: 'Your e-mail address was changed',
    paragraphs: [
      `Hello ${firstName},`,
      'Your account now has another e-mail address. This address can no longer sign in.',
      'If this was not you, inform an administrator of your team or the operator of the service at once.',
    ],
  }),
  ownershipGiven: (firstName) => ({
    subject: 'You transferred your team',
    paragraphs: [
      `Hello ${firstName},`,
      'Your team now has another owner. You are one of its administrators.',
      'If this was not you, inform the operator of the service at once.',
    ],
    button: team,
  }),
  ownershipTaken: (firstName) => ({
    subject: 'You now own your team',
    paragraphs: [
      `Hello ${firstName},`,
      'The owner of your team transferred it to you. You can manage everything in it, and transfer it to another member.',
    ],
    button: team,
  }),
  appConnected: (firstName, appName, host, baseUrl) => ({
    subject: 'An app can now act for you',
    paragraphs: [
      `Hello ${firstName},`,
      `You allowed the app “${withoutLinks(appName)}” (${withoutLinks(host)}) to read for you at ${baseUrl}.`,
      'If this was not you, change your password at once. This ends the access of all connected apps.',
    ],
    button: ownAccount,
  }),
  accountDeleted: (firstName) => ({
    subject: 'Your account was deleted',
    paragraphs: [`Hello ${firstName},`, 'Your account and your personal data were deleted. The address can be registered again.'],
  }),
};
