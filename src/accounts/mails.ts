/** A mail before it has a recipient. */
export type MailText = { subject: string; text: string; html: string };

function escape(value: string): string {
  return value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

/** The same paragraphs as text and as HTML; a link is written out, so that it can be read before it is followed. */
export function compose(subject: string, paragraphs: readonly string[]): MailText {
  const html = paragraphs
    .map((paragraph) => `<p>${escape(paragraph).replaceAll(/https?:\/\/[^\s<]+/g, (url) => `<a href="${url}">${url}</a>`)}</p>`)
    .join('\n');
  return {
    subject,
    text: `${paragraphs.join('\n\n')}\n`,
    html: `<!doctype html><html lang="en"><body style="font:16px/1.5 system-ui,sans-serif;max-width:36rem;margin:1rem auto;padding:0 1rem">${html}</body></html>`,
  };
}

export function verificationMail(firstName: string, code: string): MailText {
  return compose(`${code} is your confirmation code`, [
    `Hello ${firstName},`,
    `your confirmation code is ${code}. It is good for 10 minutes.`,
    'If you did not register, ignore this mail: without the code nothing happens.',
  ]);
}

export function alreadyRegisteredMail(baseUrl: string): MailText {
  return compose('You have an account already', [
    'Somebody, probably you, tried to register with this address, which has an account already.',
    `Sign in with your password. If you have forgotten it, request a new one: ${baseUrl}/docs#/Account%20security`,
    'If it was not you, there is nothing to do: your account is unchanged.',
  ]);
}

export function resetMail(firstName: string, link: string): MailText {
  return compose('Set a new password', [
    `Hello ${firstName},`,
    `to set a new password, open this link within 30 minutes: ${link}`,
    'If you did not ask for it, ignore this mail: your password stays as it is.',
  ]);
}

export function passwordChangedMail(firstName: string): MailText {
  return compose('Your password was changed', [
    `Hello ${firstName},`,
    'the password of your account was changed, and every other device was signed out.',
    'If it was not you, reset your password at once and tell the administrator of your team.',
  ]);
}

export function sessionEndedMail(firstName: string): MailText {
  return compose('A session of yours was ended', [
    `Hello ${firstName},`,
    'an old sign-in key of yours was used again. It may have been copied, so the session it belongs to was ended.',
    'Sign in again. If you see sessions you do not know, change your password.',
  ]);
}
