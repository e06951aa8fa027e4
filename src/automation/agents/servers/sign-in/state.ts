import { newToken } from '../../../../platform/crypto/tokens.ts';
import { serverProblems } from '../problems.ts';
import type { Servers } from '../context.ts';

const place = 'agent sign-in state';
type State = { token: string; returnTo?: string };

/** Creates the `state` parameter for the authorization server. It is encrypted and authenticated, so that no other party can create one. */
export function newState({ states }: Servers, returnTo: string | undefined): string {
  const state: State = { token: newToken(), ...(returnTo === undefined ? {} : { returnTo }) };
  return states.seal(JSON.stringify(state), place).toString('base64url');
}

/** Validates `returnTo`: only pages of the service or of CORS_ORIGINS get the response. Throws 400 `mcp_sign_in_callback_invalid`. */
export function pageToReturnTo({ baseUrl, corsOrigins }: Servers, given: string): string {
  const own = new URL(baseUrl).origin;
  const page = URL.canParse(given, own) ? new URL(given, own) : undefined;
  if (!page || ![own, ...corsOrigins].includes(page.origin) || page.username !== '' || page.password !== '')
    throw serverProblems.mcp_sign_in_callback_invalid(
      '`returnTo` must be a path of the service, or an address of BASE_URL or of one of CORS_ORIGINS.',
    );
  page.hash = '';
  return page.href;
}

const members = ['state', 'code', 'iss', 'error'] as const;
export type SignInAnswer =
  | { kind: 'unknown' }
  | { kind: 'return'; to: string }
  | { kind: 'show'; answer: Partial<Record<(typeof members)[number], string>> };

/**
 * Decides how to handle the response that a browser brings from an authorization server. It is passed to the `returnTo` page in the fragment,
 * or displayed. It is not processed here, because that requires the session that started the sign-in.
 */
export function readAnswer({ states }: Pick<Servers, 'states'>, query: Readonly<Record<string, unknown>>): SignInAnswer {
  const texts = members.flatMap((name) => {
    const value = query[name];
    return typeof value === 'string' && value.length <= 8_000 ? [[name, value] as const] : [];
  });
  const answer = Object.fromEntries(texts);
  const state = openState(states, answer.state);
  if (!state) return { kind: 'unknown' };
  return state.returnTo === undefined
    ? { kind: 'show', answer }
    : { kind: 'return', to: `${state.returnTo}#${new URLSearchParams(texts.map(([name, value]) => [name, value])).toString()}` };
}

function openState(states: Servers['states'], sent: string | undefined): State | undefined {
  if (sent === undefined || sent.length > 4_000) return undefined;
  try {
    return JSON.parse(states.open(Buffer.from(sent, 'base64url'), place).toString()) as State;
  } catch {
    return undefined;
  }
}
