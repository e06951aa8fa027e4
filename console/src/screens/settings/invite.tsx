import { Button, NativeSelect, Textarea } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import type { FormEvent, JSX } from 'react';
import { useState } from 'react';
import { api, ok } from '../../api.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { useAction } from '../../parts/action.ts';
import { fieldsOf } from '../../parts/fields.ts';
import { toast } from '../../parts/toasts.tsx';
import { ApiProblem } from '../../problems/api-problem.ts';
import { ProblemNotice } from '../../problems/problem-notice.tsx';
import { useProblemText } from '../../problems/problem-text.ts';
import { commonTexts } from '../../texts/common.ts';
import { roleTexts } from '../../texts/roles.ts';
import { useTexts } from '../../texts/texts.ts';
import { addressesIn, maxAddresses } from './addresses.ts';
import { GuestAccess, type GuestThing } from './guest-access.tsx';
import { GuestFields, useGuestTerms } from './guest-fields.tsx';
import { InvitationPreview } from './invitation-preview.tsx';
import { invitationTexts } from './invitation-texts.ts';
import { type GivenRole, givenRoles } from './member-role.tsx';
import styles from './settings.module.css';
import { settingsTexts } from './texts.ts';

type InviteProps = { isOpen: boolean; close: () => void; first?: GivenRole };

/** Invites people by email, several at once. */
export function InviteDialog({ isOpen, close, first = 'member' }: InviteProps): JSX.Element {
  const words = useTexts(invitationTexts);
  return (
    <Dialog title={words.invite} isOpen={isOpen} close={close} size="lg">
      <InviteForm close={close} first={first} />
    </Dialog>
  );
}

type Invitation = {
  role: GivenRole;
  endsAt?: string;
  sponsorId?: string;
  access?: { type: 'folder' | 'document'; id: string; relation: 'viewer' | 'editor' }[];
};
type Result = { email: string; error: ApiProblem | undefined };

/** Sends the invitations. One that needs a recent sign-in is sent separately, so that the person can confirm the identity. */
async function send(emails: readonly string[], invitation: Invitation): Promise<Result[]> {
  const items = emails.map((email) => ({ email, ...invitation }));
  const { results } = await ok(api.POST('/api/v1/team/invitations/batch', { body: { items } }));
  const sent: Result[] = [];
  for (const { email, status, problem } of results) {
    let error = problem && new ApiProblem(new Response(null, { status }), problem);
    if (error?.code === 'reauthentication_required')
      error = await ok(api.POST('/api/v1/team/invitations', { body: { email, ...invitation } })).then(
        () => undefined,
        (failure: unknown) => {
          if (failure instanceof ApiProblem) return failure;
          throw failure;
        },
      );
    sent.push({ email, error });
  }
  return sent;
}

/** The state of the form. */
function useInvite(first: GivenRole, close: () => void) {
  const words = useTexts(invitationTexts);
  const client = useQueryClient();
  const [text, setText] = useState('');
  const [role, setRole] = useState(first);
  const guest = useGuestTerms();
  const [things, setThings] = useState<readonly GuestThing[]>([]);
  const [addressError, setAddressError] = useState<string>();
  const [failed, setFailed] = useState<readonly Result[]>([]);
  const { run, isBusy, error } = useAction();
  const { emails, rest } = addressesIn(text);
  const addressErrorOf = () => {
    if (rest.length > 0) return words.notAddresses(rest);
    if (emails.length === 0) return words.noAddress;
    return emails.length > maxAddresses ? words.tooMany(maxAddresses) : undefined;
  };
  const invite = async (invitation: Invitation) => {
    setFailed([]);
    const results = await send(emails, invitation);
    await client.invalidateQueries({ queryKey: ['invitation', 'list'] });
    const refused = results.filter((one) => one.error !== undefined);
    const count = results.length - refused.length;
    if (count > 0) toast(words.sent(count));
    if (refused.length === 0) return close();
    setFailed(refused);
    setText(refused.map(({ email }) => email).join('\n'));
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const relation = fieldsOf(event, 'right').right === 'editor' ? 'editor' : 'viewer';
    const { endsAt, sponsorId } = guest.terms;
    const wrong = addressErrorOf();
    setAddressError(wrong);
    if (wrong !== undefined) return;
    const access = things.map((one) => ({ ...one, relation }) as const);
    void run(() => invite(role === 'guest' ? { role, endsAt, sponsorId, access } : { role }));
  };
  return { text, setText, role, setRole, guest, things, setThings, addressError, failed, isBusy, error, emails, submit };
}

function InviteForm({ close, first }: { close: () => void; first: GivenRole }): JSX.Element {
  const shared = useTexts(settingsTexts);
  const words = useTexts(invitationTexts);
  const common = useTexts(commonTexts);
  const roles = useTexts(roleTexts);
  const { text, setText, role, setRole, guest, things, setThings, addressError, failed, isBusy, error, emails, submit } = useInvite(
    first,
    close,
  );
  return (
    <form className={styles.dialog} onSubmit={submit}>
      <Textarea
        label={words.addresses}
        description={words.addressesText}
        value={text}
        error={addressError}
        onChange={({ currentTarget: { value } }) => setText(value)}
        autosize
        minRows={2}
        maxRows={8}
        maxLength={40_000}
        autoCapitalize="off"
        spellCheck={false}
        data-autofocus
      />
      <NativeSelect
        label={shared.role}
        description={shared.roleTexts[role]}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        data={givenRoles.map((value) => ({ value, label: roles[value] }))}
        value={role}
        onChange={({ currentTarget: { value } }) => setRole(givenRoles.find((one) => one === value) ?? role)}
      />
      {role === 'guest' && (
        <>
          <GuestFields {...guest} />
          <GuestAccess things={things} change={setThings} />
        </>
      )}
      <InvitationPreview role={role} endsAt={role === 'guest' && guest.terms.endsAt !== '' ? guest.terms.endsAt : undefined} />
      {error !== undefined && <ProblemNotice error={error} />}
      <Refused results={failed} />
      <div className={styles.choices}>
        <Button variant="default" onClick={close}>
          {common.cancel}
        </Button>
        <Button type="submit" loading={isBusy}>
          {words.send(emails.length)}
        </Button>
      </div>
    </form>
  );
}

/** The addresses without an invitation, each with the reason. */
function Refused({ results }: { results: readonly Result[] }): JSX.Element | null {
  const words = useTexts(invitationTexts);
  if (results.length === 0) return null;
  return (
    <div className={styles.warning} role="alert">
      <p>{words.failed(results.length)}</p>
      <ul>
        {results.map(({ email, error }) => (
          <li key={email}>
            <strong>{email}</strong>: <Reason error={error} />
          </li>
        ))}
      </ul>
    </div>
  );
}

const Reason = ({ error }: { error: unknown }) => useProblemText(error);
