import { useQuery } from '@tanstack/react-query';
import { api, ok } from '../../api.ts';

/** A person who can sign. `isMember`: a member of the team. */
export type Suggestion = { name: string; email: string; isMember: boolean };

const maxSuggestions = 6;
const maxRequests = 30;

/** Members of the team whose name or address contains a text, and signers of recent requests. Members come first. */
export function usePeople(text: string, left: ReadonlySet<string>): Suggestion[] {
  const members = useQuery({
    queryKey: ['member', 'list', 'signers', text],
    queryFn: ({ signal }) =>
      ok(api.GET('/api/v1/team/members', { params: { query: { limit: 20, ...(text === '' ? {} : { q: text }) } }, signal })),
    placeholderData: (before) => before,
  });
  const recent = useQuery({
    queryKey: ['signature', 'list', 'recent signers'],
    queryFn: () => ok(api.GET('/api/v1/signatures/', { params: { query: { sort: '-createdAt', limit: maxRequests } } })),
    staleTime: 300_000,
  });
  const wanted = text.toLocaleLowerCase();
  const found: Suggestion[] = [
    ...(members.data ?? []).map(({ firstName, lastName, email }) => ({
      name: `${firstName} ${lastName}`.trim(),
      email: email ?? '',
      isMember: true,
    })),
    ...(recent.data ?? []).flatMap(({ signers }) => signers.map(({ name, email }) => ({ name, email, isMember: false }))),
  ];
  const seen = new Set(left);
  return found
    .filter(({ name, email }) => {
      const address = email.toLocaleLowerCase();
      if (address === '' || seen.has(address) || !`${name} ${address}`.toLocaleLowerCase().includes(wanted)) return false;
      seen.add(address);
      return true;
    })
    .slice(0, maxSuggestions);
}
