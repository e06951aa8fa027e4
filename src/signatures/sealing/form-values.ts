import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { dirname, join } from 'node:path';
import { type FormField, layoutText, type PDF, type PDFForm, PdfNumber } from '@libpdf/core';
import { Unsealable } from './port.ts';

type TextField = NonNullable<ReturnType<PDFForm['getTextField']>>;
type Dropdown = NonNullable<ReturnType<PDFForm['getDropdown']>>;
type ListBox = NonNullable<ReturnType<PDFForm['getListBox']>>;
type ValueField = TextField | Dropdown | ListBox;
type Widget = ReturnType<FormField['getWidgets']>[number];
type Font = ReturnType<PDF['embedFont']>;

/** A field with a text value, that text, and the widgets that draw it. */
export type Entry = { field: ValueField; text: string; widgets: Widget[] };

const readOnly = 1;
/** Letters below this size, in points, cannot be read on paper. */
const smallest = 4;
const usual = 12;
const lineHeight = 1.2;
/** The space, in points, that the library leaves at the sides of a field and for the button of a drop-down list. */
const room = { side: 6, button: 24 } as const;

/** Read when this is loaded: its process opens nothing of the disk. */
const face = new Uint8Array(
  readFileSync(join(dirname(findPackageJSON('@embedpdf/fonts-latin', import.meta.url) ?? ''), 'fonts/NotoSans-Regular.ttf')),
);

const isValueField = (field: FormField): field is ValueField =>
  field.type === 'text' || field.type === 'dropdown' || field.type === 'listbox';

/** A field as an entry, where it has a value that is drawn in the open. */
export function entriesOf(field: FormField, isDrawn: (widget: Widget['dict']) => boolean): Entry[] {
  if (!isValueField(field) || (field.type === 'text' && field.isPassword)) return [];
  const widgets = field.getWidgets().filter(({ dict }) => isDrawn(dict));
  const text = chosenOf(field).join('\n');
  return widgets.length === 0 || text.trim() === '' ? [] : [{ field, text, widgets }];
}

/** The texts that a reader shows for a value: for a list, the names of its options. */
function chosenOf(field: ValueField): string[] {
  if (field.type === 'text') return [field.getValue()];
  const called = new Map(field.getOptions().map(({ value, display }) => [value, display]));
  const chosen = field.type === 'dropdown' ? [field.getValue()] : field.getValue();
  return chosen.map((value) => called.get(value) ?? value);
}

/** Redraws whole values in a font of the service, and embeds it in the file. Throws if the font lacks a letter or the field lacks space. */
export function redraw(pdf: PDF, entries: readonly Entry[]): void {
  if (entries.length === 0) return;
  const font = pdf.embedFont(face);
  // The fields end with this: of the font, the file needs the letters that are drawn.
  font.markUsedInForm = () => undefined;
  // Each line is checked here. The library would take another font for a text with a line break in it.
  font.canEncode = () => true;
  for (const { field, text, widgets } of entries) {
    const size = Math.min(...widgets.map((widget) => sizeIn(widget, { field, text, font })));
    field.setFont(font);
    field.setFontSize(size);
    if (field.isReadOnly()) writable(field);
    // The library draws a list only where nothing is drawn yet.
    for (const { dict } of widgets) dict.delete('AP');
  }
  pdf.getForm()?.updateAppearances();
}

/** The library draws no field that may not be changed. */
export function writable(field: FormField): void {
  field.acroField().set('Ff', PdfNumber.of(field.flags & ~readOnly));
}

/** The size of letters in which a field shows its value whole. */
function sizeIn(widget: Widget, { field, text, font }: { field: ValueField; text: string; font: Font }): number {
  const lines = field.type === 'listbox' ? field.getOptions().map(({ display }) => display) : text.split(/\r\n|\r|\n/);
  const odd = lines.flatMap((line) => font.getUnencodableCharacters(line))[0];
  if (odd !== undefined) throw notShown(field, `has “${odd}”, which the service has no letter for`);
  const declaredSize = Number(/([\d.]+)\s+Tf/.exec(field.defaultAppearance ?? '')?.[1] ?? 0);
  for (let size = declaredSize > 0 ? declaredSize : Math.min(usual, Math.max(smallest, widget.height * 0.7)); size >= smallest; size -= 0.5)
    if (fits(widget, { field, text, font, size })) return size;
  throw notShown(field, 'has more text than its place holds');
}

function fits(widget: Widget, { field, text, font, size }: { field: ValueField; text: string; font: Font; size: number }): boolean {
  const width = (line: string) => font.getTextWidth(line, size);
  const [across, along] = turnedSize(widget);
  if (field.type === 'dropdown') return width(text) <= across - room.button && size <= along;
  if (field.type === 'listbox') {
    // The list begins with the first chosen option.
    const options = field.getOptions();
    const chosen = new Set(field.getValue());
    const places = options.flatMap(({ value }, at) => (chosen.has(value) ? [at] : []));
    const [first = 0, last = 0] = [places[0], places.at(-1)];
    if (first > 0) field.acroField().set('TI', PdfNumber.of(first));
    return places.every((at) => width(options[at]?.display ?? '') <= across - room.side) && (last - first + 1) * size * 1.4 <= along;
  }
  if (field.isMultiline) {
    const { lines } = layoutText(text.replaceAll(/\r\n?/g, '\n'), font, size, across - room.side, size * lineHeight);
    return (lines.length + 0.5) * size * lineHeight <= along - 2;
  }
  if (/[\r\n]/.test(text)) return false;
  if (field.isComb && field.maxLength > 0) return text.length <= field.maxLength && size <= along;
  return width(text) <= across - room.side && size <= along;
}

/** Of a field that is turned on its side, what its text has across and along. */
function turnedSize(widget: Widget): [number, number] {
  const turned = Math.abs(widget.getAppearanceCharacteristics()?.rotation ?? 0) % 180 === 90;
  return turned ? [widget.height, widget.width] : [widget.width, widget.height];
}

export const notShown = ({ name }: { name: string }, why: string): Unsealable =>
  new Unsealable(
    'form_value_not_shown',
    `The field “${name}” of the form ${why}. Open the file in a program that shows it, print it as PDF, and send that.`,
  );
