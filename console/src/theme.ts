import type { KeyboardEvent } from 'react';
import {
  createTheme,
  type CSSVariablesResolver,
  defaultVariantColorsResolver,
  type MantineColorsTuple,
  type VariantColorsResolver,
} from '@mantine/core';

/** Shades of the accent of the design. Shade 8 is the accent in light mode (`src/platform/design/tokens.css`). */
const green: MantineColorsTuple = [
  '#f0f7f5',
  '#dcece8',
  '#bcdbd3',
  '#8fc4b7',
  '#63ac9b',
  '#449a87',
  '#2f8470',
  '#1f6a59',
  '#17594a',
  '#0f4034',
];
/** Warm greys, for parts of Mantine that have no variable of their own. */
const gray: MantineColorsTuple = [
  '#faf8f4',
  '#f3f0ea',
  '#e4dfd5',
  '#d6d0c5',
  '#bfb8ac',
  '#a29b90',
  '#87807a',
  '#5f5a52',
  '#3d3a34',
  '#211f1b',
];
const dark: MantineColorsTuple = [
  '#ece9e2',
  '#b1aca2',
  '#8a857b',
  '#6a665e',
  '#504d46',
  '#37352f',
  '#2a2925',
  '#1e1e1b',
  '#161614',
  '#0f0f0d',
];

/** Colours of filled buttons come from the design, because the accent of dark mode is light. */
const variantColorResolver: VariantColorsResolver = (input) => {
  const { variant, color } = input;
  const isAccent = color === undefined || color === 'green';
  const main = isAccent ? 'accent' : color === 'red' ? 'wrong' : undefined;
  if (color === 'gray' && variant === 'light') {
    const background = 'color-mix(in oklab, var(--ink) 8%, transparent)';
    return { background, hover: background, color: 'var(--ink)', border: '1px solid transparent' };
  }
  if (main === undefined) return defaultVariantColorsResolver(input);
  const own = `var(--${main})`;
  if (variant === 'filled') {
    const text = isAccent ? 'var(--on-accent)' : 'light-dark(#fff, #3d0a05)';
    return { background: own, hover: `color-mix(in oklab, ${own} 88%, var(--ink))`, color: text, border: '1px solid transparent' };
  }
  if (variant === 'default' || variant === 'white') return defaultVariantColorsResolver(input);
  const tint = isAccent ? 'var(--tint)' : 'var(--wrong-tint)';
  return {
    background: variant === 'light' ? tint : 'transparent',
    hover: tint,
    color: own,
    border: variant === 'outline' ? `1px solid ${own}` : '1px solid transparent',
  };
};

/** Enter in a field with typed letters selects the first option, and does not send the form without it. */
const selectFirst = {
  onKeyDown: (event: KeyboardEvent<HTMLInputElement>) => {
    const { currentTarget: field, key } = event;
    const list = document.getElementById(field.getAttribute('aria-controls') ?? '');
    if (key !== 'Enter' || event.nativeEvent.isComposing || field.readOnly || field.value.trim() === '' || list === null) return;
    if (list.querySelector('[data-combobox-selected]') !== null) return;
    event.preventDefault();
    list.querySelector<HTMLElement>('[data-combobox-option]:not([data-combobox-disabled])')?.click();
  },
};

export const theme = createTheme({
  components: { Select: { defaultProps: selectFirst }, MultiSelect: { defaultProps: selectFirst } },
  primaryColor: 'green',
  primaryShade: { light: 8, dark: 3 },
  autoContrast: true,
  colors: { green, gray, dark },
  black: '#211f1b',
  fontFamily: 'var(--sans)',
  fontFamilyMonospace: 'var(--mono)',
  headings: { fontFamily: 'var(--sans)', fontWeight: '600' },
  defaultRadius: 'md',
  radius: { xs: '0.25rem', sm: '0.4rem', md: '0.5rem', lg: 'var(--round)', xl: '1rem' },
  cursorType: 'pointer',
  focusRing: 'auto',
  respectReducedMotion: true,
  variantColorResolver,
});

/** Connects the variables of Mantine with those of the design. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {
    '--mantine-color-body': 'var(--surface)',
    '--mantine-color-text': 'var(--ink)',
    '--mantine-color-dimmed': 'var(--soft)',
    '--mantine-color-placeholder': 'var(--soft)',
    '--mantine-color-anchor': 'var(--accent)',
    '--mantine-color-default': 'var(--surface)',
    '--mantine-color-default-hover': 'var(--tint)',
    '--mantine-color-default-color': 'var(--ink)',
    '--mantine-color-default-border': 'var(--edge)',
    '--mantine-color-error': 'var(--wrong)',
    '--mantine-primary-color-filled': 'var(--accent)',
    '--mantine-primary-color-light': 'var(--tint)',
    '--mantine-primary-color-light-color': 'var(--accent)',
    '--mantine-primary-color-contrast': 'var(--on-accent)',
  },
  light: {},
  dark: {},
});
