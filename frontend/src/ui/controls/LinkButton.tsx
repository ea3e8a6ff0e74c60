import type { ReactNode } from 'react';
import { useHref, useLinkClickHandler } from 'react-router-dom';
import VantButton from 'react-vant/es/button/Button.js';
import type { Place } from '@/pages';
import { type ButtonLook, lookOf } from './button-look';

type Props = Partial<ButtonLook> & { to: Place; children: ReactNode };

/** Looks like a Button, leads to another page. */
export function LinkButton({ to, children, variant = 'primary', size = 'large' }: Props) {
  const target = { href: useHref(to), onClick: useLinkClickHandler<HTMLButtonElement>(to) };
  return (
    <VantButton tag="a" {...target} {...lookOf({ variant, size })}>
      {children}
    </VantButton>
  );
}
