import assert from 'node:assert/strict';

/** Registers the owner of a new team at a service that stores its mails, and returns the access token. */
export async function signUp(url: string, email = `p${Date.now()}.${Math.random().toString(36).slice(2)}@example.org`): Promise<string> {
  const post = async (operation: string, body: object): Promise<any> => {
    const response = await fetch(`${url}/api/v1/security/auth/${operation}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const answer: any = await response.json();
    assert.ok(response.ok, JSON.stringify(answer));
    return answer;
  };
  await post('register', { email, password: 'CorrectHorse9Battery', firstName: 'Ada', lastName: 'Grace' });
  const mails: any = await (await fetch(`${url}/dev/mail.json?to=${email}`)).json();
  const code = /\d{6}/.exec(mails[0].subject)?.[0];
  return (await post('verify-email', { email, code })).accessToken;
}
