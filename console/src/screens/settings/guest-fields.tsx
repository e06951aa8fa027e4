import { Button, TextInput } from '@mantine/core';
import type { JSX } from 'react';
import { useContext, useState } from 'react';
import { dayIn, daysFromNow, endOfDay } from '../../parts/day.ts';
import { Name } from '../../parts/name.tsx';
import { PersonField } from '../../parts/person-field.tsx';
import { useClaims } from '../../session/use-session.ts';
import { TimeZone } from '../../texts/format.ts';
import { useTexts } from '../../texts/texts.ts';
import { useGuestDays } from './member-data.ts';
import styles from './settings.module.css';
import { settingsTexts } from './texts.ts';

const suggestedDays = 90;

/** The end and the sponsor of a guest, as a form has them. */
export type GuestTerms = { day: string; firstDay: string; lastDay: string; endsAt: string; sponsorId: string };

/** Returns the terms of a new guest, or of one with an end, and a function that changes them. */
export function useGuestTerms(before: { endsAt?: string | undefined; sponsorId?: string | undefined } = {}) {
  const zone = useContext(TimeZone);
  const { sub } = useClaims();
  const days = useGuestDays();
  const [changed, setChanged] = useState<{ day?: string; sponsorId?: string }>({});
  const usual = before.endsAt === undefined ? daysFromNow(Math.min(suggestedDays, days - 1)) : new Date(before.endsAt);
  const day = changed.day ?? dayIn(usual, zone);
  const terms: GuestTerms = {
    day,
    firstDay: dayIn(daysFromNow(0), zone),
    lastDay: dayIn(daysFromNow(days - 1), zone),
    endsAt: day === '' ? '' : endOfDay(day, zone).toISOString(),
    sponsorId: changed.sponsorId ?? before.sponsorId ?? sub,
  };
  return { terms, change: (members: typeof changed) => setChanged((last) => ({ ...last, ...members })) };
}

type GuestFieldsProps = ReturnType<typeof useGuestTerms> & { except?: string; onlyEnd?: boolean };

/** The day on which the access of a guest ends, and the member who answers for the guest. */
export function GuestFields({ terms, change, except, onlyEnd = false }: GuestFieldsProps): JSX.Element {
  const words = useTexts(settingsTexts);
  return (
    <>
      <TextInput
        type="date"
        label={words.until}
        min={terms.firstDay}
        max={terms.lastDay}
        value={terms.day}
        onChange={({ currentTarget: { value } }) => change({ day: value })}
        required
      />
      {!onlyEnd && <Sponsor value={terms.sponsorId} change={(sponsorId) => change({ sponsorId })} except={except} />}
    </>
  );
}

const sponsorRoles = ['owner', 'admin', 'member'] as const;

function Sponsor({ value, change, except }: { value: string; change: (id: string) => void; except: string | undefined }): JSX.Element {
  const words = useTexts(settingsTexts);
  const [isOpen, setOpen] = useState(false);
  if (isOpen)
    return (
      <PersonField label={words.sponsor} value={value} change={change} roles={sponsorRoles} except={except === undefined ? [] : [except]} />
    );
  return (
    <div className={styles.chosen}>
      <p>
        <strong>{words.sponsor}</strong>: <Name id={value} />
        <br />
        <span className="soft">{words.sponsorText}</span>
      </p>
      <Button size="xs" variant="default" onClick={() => setOpen(true)}>
        {words.otherSponsor}
      </Button>
    </div>
  );
}
