import { Badge, Button } from '@mantine/core';
import type { Invitation } from '@chancery/client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { JSX } from 'react';
import { useState } from 'react';
import { api, ok, versioned } from '../../api.ts';
import { useAction } from '../../parts/action.ts';
import { ConfirmButton } from '../../parts/confirm.tsx';
import { Icon } from '../../parts/icons.tsx';
import { RowOf, Rows } from '../../parts/section.tsx';
import { Empty, Failed, Loading } from '../../parts/states.tsx';
import { Time } from '../../parts/time.tsx';
import { toast } from '../../parts/toasts.tsx';
import { ProblemNotice } from '../../problems/problem-notice.tsx';
import { roleTexts } from '../../texts/roles.ts';
import { useTexts } from '../../texts/texts.ts';
import { invitationTexts } from './invitation-texts.ts';
import { InviteDialog } from './invite.tsx';
import { SettingsPage } from './settings-page.tsx';
import { settingsTexts } from './texts.ts';

/** The most open invitations of a team. */
const maxOpen = 100;
const queryKey = ['invitation', 'list'];

/** The invitations that wait for an answer, and the expired ones. */
export function InvitationsPage(): JSX.Element {
  const words = useTexts(invitationTexts);
  const [isInviting, setInviting] = useState(false);
  const query = useQuery({ queryKey, queryFn: () => ok(api.GET('/api/v1/team/invitations', { params: { query: { limit: maxOpen } } })) });
  const invite = (
    <Button leftSection={<Icon name="plus" size={18} />} onClick={() => setInviting(true)}>
      {words.invite}
    </Button>
  );
  return (
    <SettingsPage actions={query.isSuccess && invite}>
      {query.isPending && <Loading />}
      {query.isError && <Failed error={query.error} retry={() => void query.refetch()} />}
      {query.data?.length === 0 && <Empty title={words.none}>{words.noneText}</Empty>}
      {query.data !== undefined && query.data.length > 0 && (
        <Rows label={words.list}>
          {query.data.toReversed().map((one) => (
            <InvitationRow key={one.id} invitation={one} />
          ))}
        </Rows>
      )}
      <InviteDialog isOpen={isInviting} close={() => setInviting(false)} />
    </SettingsPage>
  );
}

function InvitationRow({
  invitation: { id, email, role, status, sentAt, expiresAt, endsAt, undeliverable },
}: {
  invitation: Invitation;
}): JSX.Element {
  const shared = useTexts(settingsTexts);
  const words = useTexts(invitationTexts);
  const roles = useTexts(roleTexts);
  const client = useQueryClient();
  const { run, isBusy, error } = useAction();
  const params = { path: { id } };
  const renew = () => client.invalidateQueries({ queryKey });
  const resend = async () => {
    await ok(api.POST('/api/v1/team/invitations/{id}/resend', { params }));
    await renew();
    toast(words.resent(email));
  };
  const withdraw = async () => {
    const { etag } = await versioned(api.GET('/api/v1/team/invitations/{id}', { params }));
    await ok(api.DELETE('/api/v1/team/invitations/{id}', { params: { ...params, header: { 'If-Match': etag } } }));
    await renew();
    toast(words.withdrawn(email));
  };
  const obstacle = status === 'expired' ? words.expired : undeliverable === undefined ? undefined : words.undeliverable;
  return (
    <RowOf
      title={
        <>
          {email}
          {obstacle !== undefined && (
            <Badge variant="light" color="red" radius="sm" tt="none" fw={500}>
              {obstacle}
            </Badge>
          )}
        </>
      }
      detail={
        <>
          {roles[role]} · {words.sentAt} <Time at={sentAt} />
          {status === 'pending' && (
            <>
              {' '}
              · {words.state} <Time at={expiresAt} exact />
            </>
          )}
          {endsAt !== undefined && (
            <>
              {' '}
              · {shared.until} <Time at={endsAt} exact />
            </>
          )}
          {error !== undefined && <ProblemNotice error={error} />}
        </>
      }
      actions={
        <>
          <Button size="xs" variant="default" loading={isBusy} aria-label={`${words.resend}: ${email}`} onClick={() => void run(resend)}>
            {words.resend}
          </Button>
          <ConfirmButton
            size="xs"
            label={words.withdraw}
            name={`${words.withdraw}: ${email}`}
            title={words.withdrawTitle}
            action={withdraw}
          >
            <p>{words.withdrawText(email)}</p>
          </ConfirmButton>
        </>
      }
    />
  );
}
