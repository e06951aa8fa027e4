import { Checkbox, Select, Textarea, TextInput } from '@mantine/core';
import type { JSX } from 'react';
import { useContext } from 'react';
import { dayIn, daysFromNow } from '../../parts/day.ts';
import { TimeZone } from '../../texts/format.ts';
import { useTexts } from '../../texts/texts.ts';
import type { ChangeDraft, RequestDraft } from './draft.ts';
import { MailPreview } from './mail-preview.tsx';
import { askTexts } from './texts.ts';

/** The longest time that a request can be open. */
const maxDays = 364;
const locales = [
  { value: 'en', label: 'English' },
  { value: 'de', label: 'Deutsch' },
  { value: 'ar', label: 'العربية' },
  { value: 'ja', label: '日本語' },
];

/** The message, the deadline and how signers open the document. */
export function Options({ draft, change, title }: { draft: RequestDraft; change: ChangeDraft; title: string }): JSX.Element {
  const words = useTexts(askTexts);
  const zone = useContext(TimeZone);
  const set = (values: Partial<RequestDraft>) => change((before) => ({ ...before, ...values }));
  return (
    <>
      <Textarea
        label={words.message}
        description={words.messageText}
        value={draft.message}
        maxLength={2_000}
        rows={3}
        resize="vertical"
        onChange={({ currentTarget: { value } }) => set({ message: value })}
      />
      <TextInput
        type="date"
        label={words.until}
        description={words.untilText(zone)}
        value={draft.until}
        min={dayIn(daysFromNow(1), zone)}
        max={dayIn(daysFromNow(maxDays), zone)}
        required
        onChange={({ currentTarget: { value } }) => set({ until: value })}
      />
      <Select
        label={words.language}
        data={[{ value: '', label: words.teamLanguage }, ...locales]}
        value={draft.locale}
        allowDeselect={false}
        onChange={(locale) => set({ locale: locale ?? '' })}
      />
      <Checkbox
        label={words.requireCode}
        description={words.requireCodeText}
        checked={draft.requireCode}
        onChange={({ currentTarget: { checked } }) => set({ requireCode: checked })}
      />
      <Checkbox
        label={words.allowDelegation}
        checked={draft.allowDelegation}
        onChange={({ currentTarget: { checked } }) => set({ allowDelegation: checked })}
      />
      <MailPreview draft={draft} title={title} />
    </>
  );
}
