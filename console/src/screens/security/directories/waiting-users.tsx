import { Button } from '@mantine/core';
import type { DirectoryUser } from '@chancery/client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { JSX } from 'react';
import { useState } from 'react';
import { api, ok } from '../../../api.ts';
import { ActionForm, Dialog } from '../../../parts/dialog.tsx';
import { type Principal, PrincipalSelect, principalId } from '../../../parts/principal-select.tsx';
import { RowOf, Rows, Section } from '../../../parts/section.tsx';
import { toast } from '../../../parts/toasts.tsx';
import { useTexts } from '../../../texts/texts.ts';
import { directoryTexts } from './texts.ts';

/** The users of one request. More appear when some of them are linked. */
const maxUsers = 100;

/** Users of the directory with the address of a member. Without one, the section is absent. */
export function WaitingUsers({ id }: { id: string }): JSX.Element | null {
  const { conflicts: words } = useTexts(directoryTexts);
  const [user, setUser] = useState<DirectoryUser>();
  const { data = [] } = useQuery({
    queryKey: ['directory', id, 'conflicts'],
    queryFn: () =>
      ok(api.GET('/api/v1/team/directories/{id}/users', { params: { path: { id }, query: { status: 'conflict', limit: maxUsers } } })),
  });
  if (data.length === 0) return null;
  return (
    <Section title={words.title} text={words.text}>
      <Rows label={words.title}>
        {data.map((one) => (
          <RowOf
            key={one.id}
            title={one.userName}
            detail={one.email === one.userName ? undefined : one.email}
            actions={
              <Button variant="default" size="xs" aria-label={`${words.linkNow}: ${one.userName}`} onClick={() => setUser(one)}>
                {words.link}
              </Button>
            }
          />
        ))}
      </Rows>
      <Dialog title={words.linkTitle} isOpen={user !== undefined} close={() => setUser(undefined)}>
        {user && <LinkForm id={id} user={user} close={() => setUser(undefined)} />}
      </Dialog>
    </Section>
  );
}

function LinkForm({ id, user, close }: { id: string; user: DirectoryUser; close: () => void }): JSX.Element {
  const { conflicts: words } = useTexts(directoryTexts);
  const client = useQueryClient();
  const [member, setMember] = useState<Principal | null>(null);
  const link = async () => {
    if (member === null) return;
    const body = { userId: principalId(member), scimUserId: user.id };
    await ok(api.POST('/api/v1/team/directories/{id}/links', { params: { path: { id } }, body }));
    toast(words.linked);
    await client.invalidateQueries({ queryKey: ['directory'] });
  };
  return (
    <ActionForm text={words.linkText(user.userName)} verb={words.linkNow} isDisabled={member === null} close={close} send={link}>
      <PrincipalSelect label={words.member(user.userName)} value={member} onChange={setMember} required data-autofocus />
    </ActionForm>
  );
}
