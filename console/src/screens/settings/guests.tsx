import { Button } from '@mantine/core';
import type { JSX } from 'react';
import { useState } from 'react';
import { api, countItems, page } from '../../api.ts';
import { Icon } from '../../parts/icons.tsx';
import { List, pageRows } from '../../parts/list.tsx';
import { Name } from '../../parts/name.tsx';
import { Peek, usePeek } from '../../parts/peek.tsx';
import { Empty } from '../../parts/states.tsx';
import { Time } from '../../parts/time.tsx';
import { managesTeam } from '../../session/claims.ts';
import { useClaims } from '../../session/use-session.ts';
import { roleTexts } from '../../texts/roles.ts';
import { useTexts } from '../../texts/texts.ts';
import { guestTexts } from './guest-texts.ts';
import { InviteDialog } from './invite.tsx';
import { MemberPeek } from './member.tsx';
import { type Member, nameOf } from './member-data.ts';
import { SettingsPage } from './settings-page.tsx';
import { settingsTexts } from './texts.ts';

/** The guests and auditors of the team, whose access has an end. */
export function GuestsPage(): JSX.Element {
  const shared = useTexts(settingsTexts);
  const words = useTexts(guestTexts);
  const roles = useTexts(roleTexts);
  const manages = managesTeam(useClaims());
  const { peek } = usePeek();
  const [isInviting, setInviting] = useState(false);
  return (
    <SettingsPage
      actions={
        manages && (
          <Button leftSection={<Icon name="plus" size={18} />} onClick={() => setInviting(true)}>
            {words.invite}
          </Button>
        )
      }
    >
      <p className="soft">{words.intro}</p>
      <List
        label={shared.guests}
        queryKey={['member', 'list', 'guests']}
        read={(cursor) => {
          const query = { role: ['guest', 'auditor'] as ('guest' | 'auditor')[], limit: pageRows, cursor };
          return page(api.GET('/api/v1/team/members', { params: { query, header: countItems } }));
        }}
        to={({ id }) => `/settings/members/${id}`}
        title={(guest: Member) => nameOf(guest)}
        peeks
        columns={[
          { header: shared.name, cell: nameOf },
          { header: shared.role, cell: ({ role }) => roles[role], narrow: true, wide: true },
          { header: shared.sponsor, cell: ({ sponsorId }) => sponsorId && <Name id={sponsorId} />, wide: true },
          { header: shared.until, cell: ({ endsAt }) => endsAt && <Time at={endsAt} />, narrow: true },
        ]}
        empty={<Empty title={words.none}>{manages && words.noneText}</Empty>}
      />
      <Peek label={words.preview}>{peek !== undefined && <MemberPeek key={peek} id={peek} />}</Peek>
      <InviteDialog isOpen={isInviting} close={() => setInviting(false)} first="guest" />
    </SettingsPage>
  );
}
