import { withoutLinks } from '../../platform/text.ts';
import { inWords } from '../../platform/lifetimes.ts';
import type { AccountMails } from './mail-texts.ts';
import { dispositionLines } from './membership/orphaned-resources.ts';

export const english: AccountMails = {
  verification: (firstName, code, lives) => ({
    subject: `${code} is your confirmation code`,
    paragraphs: [
      `Hello ${firstName},`,
      `your confirmation code is ${code}. It is good for ${inWords(lives)}.`,
      'If you did not register, ignore this mail: without the code nothing happens.',
    ],
  }),
  alreadyRegistered: (baseUrl) => ({
    subject: 'You have an account already',
    paragraphs: [
      'Somebody, probably you, tried to use this address for an account, and it has one already.',
      `Sign in with your password. If you have forgotten it, request a new one there: ${baseUrl}/app/sign-in`,
      'If it was not you, there is nothing to do: your account is unchanged.',
    ],
  }),
  passwordReset: (firstName, link, lives) => ({
    subject: 'Set a new password',
    page: link,
    paragraphs: [
      `Hello ${firstName},`,
      `to set a new password, open this link within ${inWords(lives)}: ${link}`,
      'If you did not ask for it, ignore this mail: your password stays as it is.',
    ],
  }),
  passwordChanged: (firstName) => ({
    subject: 'Your password was changed',
    paragraphs: [
      `Hello ${firstName},`,
      'the password of your account was changed, and every other device was signed out.',
      'If it was not you, reset your password at once and tell the administrator of your team.',
    ],
  }),
  sessionEnded: (firstName) => ({
    subject: 'A session of yours was ended',
    paragraphs: [
      `Hello ${firstName},`,
      'an old sign-in key of yours was used again. It may have been copied, so the session it belongs to was ended.',
      'Sign in again. If you see sessions you do not know, change your password.',
    ],
  }),
  newDevice: (firstName, device, at) => ({
    subject: 'A new device signed in to your account',
    paragraphs: [
      `Hello ${firstName},`,
      `your account was signed in to from a device it has not seen before, at ${at}: ${device}.`,
      'If it was you, there is nothing to do. If not, change your password at once: every other device is signed out by it.',
    ],
  }),
  twoFactorOn: (firstName) => ({
    subject: 'Two-factor authentication is on',
    paragraphs: [
      `Hello ${firstName},`,
      'from now on signing in to your account takes a code of your authenticator app. Keep the backup codes in a safe place.',
      'If it was not you, reset your password at once and tell the administrator of your team.',
    ],
  }),
  twoFactorOff: (firstName) => ({
    subject: 'Two-factor authentication is off',
    paragraphs: [
      `Hello ${firstName},`,
      'signing in to your account takes the password alone from now on.',
      'If it was not you, reset your password at once and turn two-factor authentication on again.',
    ],
  }),
  appOff: (firstName) => ({
    subject: 'Your authenticator app was turned off',
    paragraphs: [
      `Hello ${firstName},`,
      'codes of your authenticator app no longer sign in to your account. Signing in takes one of your passkeys or a backup code.',
      'If it was not you, reset your password at once and look at your passkeys.',
    ],
  }),
  passkeyAdded: (firstName, name) => ({
    subject: 'A passkey was added to your account',
    paragraphs: [
      `Hello ${firstName},`,
      `the passkey “${name}” can sign in to your account from now on, and signing in with the password takes a passkey or a code as well.`,
      'If it was not you, delete the passkey and change your password at once.',
    ],
  }),
  passkeyRemoved: (firstName, name, left) => ({
    subject: 'A passkey was removed from your account',
    paragraphs: [
      `Hello ${firstName},`,
      `the passkey “${name}” no longer signs in to your account.`,
      left === 'password alone'
        ? 'It was your last second factor: signing in takes the password alone from now on. If it was not you, reset your password at once.'
        : 'If it was not you, reset your password at once and look at your other passkeys.',
    ],
  }),
  identityLinked: (firstName, provider) => ({
    subject: 'Your account is linked with your organisation’s sign-in',
    paragraphs: [
      `Hello ${firstName},`,
      `you signed in through ${provider} for the first time. From now on that signs in to your account.`,
      'If it was not you, tell the administrator of your team at once.',
    ],
  }),
  identityRemoved: (firstName, provider, by) => ({
    subject: 'An identity was removed from your account',
    paragraphs: [
      `Hello ${firstName},`,
      by === 'person'
        ? `your identity at ${provider} no longer signs in to your account. Your other sessions have ended.`
        : `an administrator of your team removed your identity at ${provider} from your account. Your sessions have ended.`,
      by === 'person'
        ? 'If it was not you, reset your password at once and tell the administrator of your team.'
        : 'Sign in again. If you did not expect this, ask an administrator of your team.',
    ],
  }),
  identityRejected: (firstName, provider) => ({
    subject: 'A sign-in with your address was rejected',
    paragraphs: [
      `Hello ${firstName},`,
      `a person signed in through ${provider} with your e-mail address, but not with the identity that your account is linked with. We rejected the sign-in. Your account is unchanged.`,
      'If it was you, ask an administrator of your team to unlink the old identity. If not, report this to the administrator: your address may have been given to another person.',
    ],
  }),
  memberIdentityRejected: (member, provider) => ({
    subject: 'A sign-in with the address of a member was rejected',
    paragraphs: [
      `A person signed in through ${provider} with the e-mail address of ${member}, but not with the identity that the account is linked with. We rejected the sign-in.`,
      `If ${member} has a new identity at the provider, remove the old one: the team API lists the identities of each member. If the address was given to another person, change the address of ${member} or remove the member.`,
    ],
  }),
  backupCodeUsed: (firstName, left) => ({
    subject: 'A backup code was used',
    paragraphs: [
      `Hello ${firstName},`,
      `a backup code of your account was used. You have ${left} left.`,
      left < 4
        ? 'Make new ones soon: without the app and without codes you cannot sign in.'
        : 'If it was not you, change your password at once.',
    ],
  }),
  orphaned: (firstName, { person, why, made }) => ({
    subject: made.some(({ now }) => now === 'waits')
      ? 'API clients wait for you to take them over'
      : `Look at what ${person} has made in your team`,
    paragraphs: [
      `Hello ${firstName},`,
      {
        gone: `${person} is no longer an active member of your team. What they have made lets others in, or things out, and they may know its secrets:`,
        lowered: `${person} does not administer your team any more. What they have made as an administrator lets others in, or things out, and they may know its secrets:`,
        reset: `${person} got back into their account by a reset. Whoever had it meanwhile may know the secrets of what they have made:`,
      }[why],
      ...dispositionLines(
        made,
        {
          client: 'API clients',
          connection: 'Connections to providers',
          endpoint: 'Webhook endpoints',
          invitation: 'Invitations',
        },
        { waits: 'switched off until somebody takes them over', ended: 'ended', 'goes on': 'which go on' },
      ),
      'Look at each of what goes on: give it a new secret, or delete it.',
    ],
  }),
  guessing: (firstName, what) => ({
    subject: what === 'password' ? 'Somebody is guessing your password' : 'Somebody is guessing your sign-in codes',
    paragraphs: [
      `Hello ${firstName},`,
      ...(what === 'password'
        ? [
            'many wrong passwords were tried on your account within an hour. For the next hour strangers cannot try any more.',
            'If you cannot sign in: use a device on which you are signed in, or set a new password by mail, and sign in with it on the same browser.',
          ]
        : [
            what === 'codes'
              ? 'ten wrong codes in a row were tried on your account, by somebody who was let in as far as that: your password may be known.'
              : 'a hundred wrong codes in a row were tried on your account. None of this kind is taken any more: use a backup code or a passkey, or ask staff of the service.',
            'If it was not you, set a new password at once.',
          ]),
    ],
  }),
  emailChange: (firstName, code, lives) => ({
    subject: `${code} confirms your new address`,
    paragraphs: [
      `Hello ${firstName},`,
      `to use this address for your account, enter the code ${code} within ${inWords(lives)}.`,
      'If you did not ask for it, ignore this mail: without the code nothing happens.',
    ],
  }),
  emailChangeNotice: (firstName) => ({
    subject: 'Your e-mail address is about to change',
    paragraphs: [
      `Hello ${firstName},`,
      'somebody who is signed in to your account asked to use another e-mail address for it. It changes when the new address is confirmed.',
      'If it was not you, change your password at once.',
    ],
  }),
  emailChanged: (firstName) => ({
    subject: 'Your e-mail address was changed',
    paragraphs: [
      `Hello ${firstName},`,
      'your account uses another e-mail address from now on, and this one can no longer sign in.',
      'If it was not you, tell the administrator of your team or the operator of the service at once.',
    ],
  }),
  ownershipGiven: (firstName) => ({
    subject: 'You handed your team over',
    paragraphs: [
      `Hello ${firstName},`,
      'your team has another owner now, and you are one of its administrators.',
      'If it was not you, tell the operator of the service at once.',
    ],
  }),
  ownershipTaken: (firstName) => ({
    subject: 'You own your team now',
    paragraphs: [`Hello ${firstName},`, 'the owner of your team handed it over to you. You can manage everything in it, and hand it on.'],
  }),
  appConnected: (firstName, appName, host, baseUrl) => ({
    subject: 'A program may act for you from now on',
    paragraphs: [
      `Hello ${firstName},`,
      `you have let a program that calls itself “${withoutLinks(appName)}” (${withoutLinks(host)}) read for you at ${baseUrl}.`,
      'If it was not you, change your password at once: that ends what programs may do for you.',
    ],
  }),
  accountDeleted: (firstName) => ({
    subject: 'Your account was deleted',
    paragraphs: [
      `Hello ${firstName},`,
      'your account was deleted, and what it knew of you was erased. The address can be registered again.',
    ],
  }),
};
