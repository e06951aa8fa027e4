import { Button, NativeSelect } from '@mantine/core';
import type { FormEvent, JSX } from 'react';
import { useState } from 'react';
import { api, type Versioned, versioned } from '../../api.ts';
import { Conflict, SaveError, useSave } from '../../parts/save.tsx';
import { Section } from '../../parts/section.tsx';
import { managesTeam } from '../../session/claims.ts';
import { useClaims } from '../../session/use-session.ts';
import { useFormat } from '../../texts/format.ts';
import { roleTexts } from '../../texts/roles.ts';
import { useTexts } from '../../texts/texts.ts';
import { GuestFields, useGuestTerms } from './guest-fields.tsx';
import { type Member, readMember, useMemberUpdate } from './member-data.ts';
import { memberTexts } from './member-texts.ts';
import styles from './settings.module.css';
import { settingsTexts } from './texts.ts';

/** The roles that a member can be given. */
export const givenRoles = ['admin', 'member', 'viewer', 'guest'] as const;
export type GivenRole = (typeof givenRoles)[number];
type MemberChange = { role?: GivenRole; endsAt?: string; sponsorId?: string };

/** Changes the role of a member, and the end and sponsor of a guest. A sponsor who does not manage the team changes only the end. */
export function RoleForm({ member: { data: member, etag } }: { member: Versioned<Member> }): JSX.Element {
  const shared = useTexts(settingsTexts);
  const words = useTexts(memberTexts);
  const roles = useTexts(roleTexts);
  const format = useFormat();
  const update = useMemberUpdate();
  const [role, setRole] = useState<GivenRole>(givenRoles.find((one) => one === member.role) ?? 'member');
  const guest = useGuestTerms(member);
  const manages = managesTeam(useClaims());
  const save = useSave<MemberChange, Member>({
    etag,
    send: (body, ifMatch) =>
      versioned(
        api.PATCH('/api/v1/team/members/{userId}', { params: { path: { userId: member.id }, header: { 'If-Match': ifMatch } }, body }),
      ),
    reload: () => readMember(member.id),
    done: (version) => void update(version),
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const { endsAt, sponsorId } = guest.terms;
    void save.save(!manages ? { endsAt } : role === 'guest' ? { role, endsAt, sponsorId } : { role });
  };
  const { conflict } = save;
  const shown = ({ role: one = member.role, endsAt }: { role?: string | undefined; endsAt?: string | undefined }) =>
    `${roles[one as GivenRole]}${endsAt === undefined ? '' : ` · ${shared.until} ${format.date(endsAt)}`}`;
  return (
    <Section title={manages ? shared.role : words.endFor} text={manages ? words.changeRoleText : words.extendedText}>
      <form className={styles.form} onSubmit={submit}>
        {manages && (
          <NativeSelect
            aria-label={shared.role}
            description={shared.roleTexts[role]}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            data={givenRoles.map((value) => ({ value, label: roles[value] }))}
            value={role}
            onChange={({ currentTarget: { value } }) => setRole(givenRoles.find((one) => one === value) ?? role)}
          />
        )}
        {role === 'guest' && (
          <>
            <GuestFields {...guest} except={member.id} onlyEnd={!manages} />
            <p className="soft">{words.endForText}</p>
          </>
        )}
        <SaveError save={save} />
        {conflict && (
          <Conflict
            save={save}
            changedAt={conflict.theirs.data.updatedAt}
            differences={[{ label: shared.role, mine: shown(conflict.mine), theirs: shown(conflict.theirs.data) }]}
          />
        )}
        <div>
          <Button type="submit" variant="default" loading={save.isSaving}>
            {role === 'guest' && member.role === 'guest' ? words.saveEnd : words.changeRole}
          </Button>
        </div>
      </form>
    </Section>
  );
}
