import { Button } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { JSX } from 'react';
import { useState } from 'react';
import { api, ok, type Versioned, versioned } from '../../api.ts';
import { useAction } from '../../parts/action.ts';
import { ConfirmButton } from '../../parts/confirm.tsx';
import { PersonField } from '../../parts/person-field.tsx';
import { Section } from '../../parts/section.tsx';
import { toast } from '../../parts/toasts.tsx';
import { ProblemNotice } from '../../problems/problem-notice.tsx';
import { session } from '../../session/session.ts';
import { useTexts } from '../../texts/texts.ts';
import { type Member, nameOf, useMemberUpdate } from './member-data.ts';
import { memberTexts } from './member-texts.ts';
import styles from './settings.module.css';

/** Suspends a member, or reactivates them. */
export function AccessSection({ member: { data: member, etag } }: { member: Versioned<Member> }): JSX.Element {
  const words = useTexts(memberTexts);
  const update = useMemberUpdate();
  const { run, isBusy, error } = useAction();
  const name = nameOf(member);
  const change = async (isActive: boolean) => {
    const params = { path: { userId: member.id }, header: { 'If-Match': etag } };
    await update(await versioned(api.PATCH('/api/v1/team/members/{userId}', { params, body: { isActive } })));
    toast(isActive ? words.reactivatedNow(name) : words.suspendedNow(name));
  };
  return (
    <Section
      title={words.access}
      text={member.isActive ? words.suspendLine : words.suspendedLine}
      actions={
        member.isActive ? (
          <ConfirmButton label={words.suspend} title={words.suspendTitle(name)} action={() => change(false)}>
            <p>{words.suspendText(name)}</p>
          </ConfirmButton>
        ) : (
          <Button variant="default" loading={isBusy} onClick={() => void run(() => change(true))}>
            {words.reactivate}
          </Button>
        )
      }
    >
      {error !== undefined && <ProblemNotice error={error} />}
    </Section>
  );
}

/** Makes another member the owner of the team. Only the owner sees it. */
export function OwnerSection({ member }: { member: Member }): JSX.Element {
  const words = useTexts(memberTexts);
  const client = useQueryClient();
  const name = nameOf(member);
  const passOn = async () => {
    await ok(api.POST('/api/v1/security/auth/transfer-ownership', { body: { newOwnerId: member.id } }));
    // A new token has the new role.
    session.discard(await session.accessToken());
    await client.invalidateQueries();
    toast(words.isOwnerNow(name));
  };
  return (
    <Section
      title={words.makeOwner}
      text={words.makeOwnerLine}
      actions={
        <ConfirmButton label={words.makeOwner} title={words.makeOwnerTitle(name)} action={passOn}>
          <p>{words.makeOwnerText(name)}</p>
        </ConfirmButton>
      }
    />
  );
}

/** Members who can take over the work of another. */
const successorRoles = ['owner', 'admin', 'member', 'viewer'] as const;

/** Removes a member. The work goes to a successor, who is the owner unless the person chooses another. */
export function RemoveSection({ member: { data: member, etag } }: { member: Versioned<Member> }): JSX.Element {
  const words = useTexts(memberTexts);
  const client = useQueryClient();
  const navigate = useNavigate();
  const { data: team } = useQuery({ queryKey: ['team'], queryFn: () => versioned(api.GET('/api/v1/team')) });
  const [chosen, setChosen] = useState<string>();
  const successorId = chosen ?? team?.data.ownerId;
  const name = nameOf(member);
  const remove = async () => {
    const params = { path: { userId: member.id }, query: { successorId }, header: { 'If-Match': etag } };
    await ok(api.DELETE('/api/v1/team/members/{userId}', { params }));
    toast(words.removedNow(name));
    await navigate({ to: '/settings/members', search: (search: object) => ({ ...search, peek: undefined }), replace: true });
    client.removeQueries({ queryKey: ['member', member.id] });
    await client.invalidateQueries({ queryKey: ['member', 'list'] });
  };
  return (
    <Section
      title={words.removeMember}
      text={words.removeLine}
      actions={
        <ConfirmButton
          label={words.removeMember}
          color="red"
          variant="outline"
          title={words.removeTitle(name)}
          verb={words.removeMember}
          action={remove}
        >
          <div className={styles.consequence}>
            <PersonField label={words.successor} value={successorId} change={setChosen} roles={successorRoles} except={[member.id]} />
            <ul>
              {words
                .removeText(name)
                .split('\n')
                .map((line) => (
                  <li key={line}>{line}</li>
                ))}
            </ul>
          </div>
        </ConfirmButton>
      }
    />
  );
}
