import { ApiProblem } from '../../problems/api-problem.ts';

/** The result of a sign-in at a provider, which the service adds to the address of the page that started it. */
export type ProviderResult = { error?: ApiProblem; challenge?: { challengeId: string; methods: string[] } };

/** Reads the result from the fragment, and removes it from the address. */
export function takeProviderResult(): ProviderResult {
  const given = new URLSearchParams(location.hash.slice(1));
  if (location.hash !== '') history.replaceState(history.state, '', location.pathname + location.search);
  const [error, challengeId] = [given.get('error'), given.get('challengeId')];
  if (challengeId !== null) return { challenge: { challengeId, methods: (given.get('methods') ?? '').split(',') } };
  return error === null ? {} : { error: new ApiProblem(new Response(null, { status: 401 }), { code: error }) };
}
