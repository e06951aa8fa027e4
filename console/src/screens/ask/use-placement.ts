import { useState } from 'react';
import { announce } from '../../parts/announcer.tsx';
import type { PdfFile } from '../../parts/pdf/pdf-file.ts';
import { useTexts } from '../../texts/texts.ts';
import { type ChangeDraft, type RequestDraft, type DraftField, type DraftSigner, type FieldKind, maxFields, signs } from './draft.ts';
import { type FieldArea, freePlace, onPage, type PageSize, snapped } from './geometry.ts';
import { askTexts } from './texts.ts';

/** A field that the template of the document places. */
export type LockedField = FieldArea & { signer: string; kind: FieldKind; page: number };

const sizes: Record<FieldKind, { width: number; height: number }> = {
  signature: { width: 180, height: 48 },
  initials: { width: 60, height: 32 },
  name: { width: 180, height: 24 },
  date: { width: 100, height: 24 },
  text: { width: 180, height: 24 },
  checkbox: { width: 16, height: 16 },
};
/** The margin of a field that is placed without a position: an inch from the left, and above the lower edge. */
const margin = { x: 72, y: 96 };

export type PlacementProps = { file: PdfFile; draft: RequestDraft; change: ChangeDraft; locked: readonly LockedField[] };

export type Placement = {
  /** The signer of the next field. */
  active: DraftSigner | undefined;
  choose: (signer: string) => void;
  selected: DraftField | undefined;
  select: (field: string | undefined) => void;
  place: (kind: FieldKind, at?: { page: number; x: number; y: number }) => void;
  /** Puts a moved box in line with the other fields of its page. */
  snap: (field: DraftField, box: FieldArea) => FieldArea;
};

/** The first page that reaches below the tools, which cover the upper half of the window. */
function pageInView(): number {
  const pages = [...document.querySelectorAll<HTMLElement>('section[data-page]')];
  return Number(pages.find((one) => one.getBoundingClientRect().bottom > innerHeight * 0.6)?.dataset.page ?? pages.length);
}

/** The selection on the pages, and new fields. */
export function usePlacement({ file, draft, change, locked }: PlacementProps): Placement {
  const words = useTexts(askTexts);
  const [chosen, choose] = useState<string>();
  const [selected, select] = useState<string>();
  const signers = draft.signers.filter(signs);
  const active =
    signers.find(({ key }) => key === chosen) ??
    signers.find(({ key }) => !draft.fields.some(({ signer }) => signer === key)) ??
    signers[0];
  const sizeOf = (number: number): PageSize => file.pages[number - 1] ?? { width: 1, height: 1 };
  const others = (number: number, key?: string): FieldArea[] => [
    ...draft.fields.filter((field) => field.page === number && field.key !== key),
    ...locked.filter((field) => field.page === number),
  ];
  const place = (kind: FieldKind, at?: { page: number; x: number; y: number }) => {
    if (active === undefined || draft.fields.length >= maxFields) return;
    const number = at?.page ?? pageInView();
    const size = sizes[kind];
    const given = at && { ...size, x: at.x - size.width / 2, y: at.y - size.height / 2 };
    const box = given
      ? onPage(snapped(given, others(number), sizeOf(number)), sizeOf(number))
      : freePlace({ ...size, x: margin.x, y: sizeOf(number).height - margin.y - size.height }, others(number), sizeOf(number));
    const field: DraftField = {
      ...box,
      key: crypto.randomUUID(),
      signer: active.key,
      kind,
      page: number,
      required: kind !== 'checkbox',
      label: '',
    };
    change((before) => ({ ...before, fields: [...before.fields, field] }));
    choose(active.key);
    select(field.key);
    announce(words.placed(words.kinds[kind], active.name, number));
    // The new field is in view, and the arrow keys move it.
    requestAnimationFrame(() => document.querySelector<HTMLElement>(`[data-field="${field.key}"]`)?.focus());
  };
  return {
    active,
    choose,
    selected: draft.fields.find(({ key }) => key === selected),
    select,
    place,
    snap: (field, box) => onPage(snapped(box, others(field.page, field.key), sizeOf(field.page)), sizeOf(field.page)),
  };
}

export type FieldChanges = {
  edit: (key: string, values: Partial<DraftField>) => void;
  remove: (key: string) => void;
  copyTo: (field: DraftField, pages: readonly number[]) => void;
};

/** Changes of fields on the pages. */
export function useFieldChanges({ file, draft, change }: Omit<PlacementProps, 'locked'>): FieldChanges {
  const words = useTexts(askTexts);
  const sizeOf = (number: number): PageSize => file.pages[number - 1] ?? { width: 1, height: 1 };
  const edit = (key: string, values: Partial<DraftField>) =>
    change((before) => ({
      ...before,
      fields: before.fields.map((field) => {
        if (field.key !== key) return field;
        const next = { ...field, ...values };
        return { ...next, ...onPage(next, sizeOf(next.page)) };
      }),
    }));
  const remove = (key: string) => {
    change((before) => ({ ...before, fields: before.fields.filter((field) => field.key !== key) }));
    announce(words.removed);
  };
  /** Copies a field to pages that have none like it at this position. */
  const copyTo = (field: DraftField, pages: readonly number[]) => {
    const isThere = (number: number) =>
      draft.fields.some(
        (one) => one.page === number && one.kind === field.kind && one.signer === field.signer && one.x === field.x && one.y === field.y,
      );
    const copies = pages
      .filter((number) => !isThere(number))
      .slice(0, maxFields - draft.fields.length)
      .map((number) => ({ ...field, ...onPage(field, sizeOf(number)), page: number, key: crypto.randomUUID() }));
    change((before) => ({ ...before, fields: [...before.fields, ...copies] }));
    announce(words.copied(copies.length));
  };
  return { edit, remove, copyTo };
}
