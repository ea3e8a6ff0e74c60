import type { ComponentType } from 'react';
import { CardPicture } from '@/ui/illustrations/CardPicture';
import { CouponsPicture } from '@/ui/illustrations/CouponsPicture';
import { ExchangePicture } from '@/ui/illustrations/ExchangePicture';
import { FiguresPicture } from '@/ui/illustrations/FiguresPicture';
import { FlowPicture } from '@/ui/illustrations/FlowPicture';
import { LostPicture } from '@/ui/illustrations/LostPicture';
import { MessagesPicture } from '@/ui/illustrations/MessagesPicture';
import { NoticesPicture } from '@/ui/illustrations/NoticesPicture';
import { OffersPicture } from '@/ui/illustrations/OffersPicture';
import { OfflinePicture } from '@/ui/illustrations/OfflinePicture';
import { PlansPicture } from '@/ui/illustrations/PlansPicture';
import { SettledPicture } from '@/ui/illustrations/SettledPicture';
import { SheetsPicture } from '@/ui/illustrations/SheetsPicture';
import { TeamPicture } from '@/ui/illustrations/TeamPicture';
import { WithdrawalsPicture } from '@/ui/illustrations/WithdrawalsPicture';
import type { Entry } from '../entry';

const onPage = (component: string, Picture: ComponentType): Entry => ({
  component,
  and: ['Scene'],
  states: { plain: () => <Picture /> },
});

export const illustrations: readonly Entry[] = [
  onPage('SheetsPicture', SheetsPicture),
  onPage('PlansPicture', PlansPicture),
  onPage('CouponsPicture', CouponsPicture),
  onPage('OffersPicture', OffersPicture),
  onPage('NoticesPicture', NoticesPicture),
  onPage('FlowPicture', FlowPicture),
  onPage('FiguresPicture', FiguresPicture),
  onPage('WithdrawalsPicture', WithdrawalsPicture),
  onPage('CardPicture', CardPicture),
  onPage('ExchangePicture', ExchangePicture),
  onPage('TeamPicture', TeamPicture),
  onPage('SettledPicture', SettledPicture),
  onPage('MessagesPicture', MessagesPicture),
  onPage('LostPicture', LostPicture),
  onPage('OfflinePicture', OfflinePicture),
];
