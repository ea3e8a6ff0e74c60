//! The columns of a file, in their order, and how rows become columns and back.

use std::io::Write;

use base::{PlanId, SlotId, Timestamp};
use delivery::{Device, EventKind, Reason};
use parquet::data_type::{
    BoolType, ByteArray, ByteArrayType, DataType, FixedLenByteArray, FixedLenByteArrayType, Int32Type, Int64Type,
};
use parquet::file::writer::SerializedRowGroupWriter;

use crate::{Error, Event};

pub(crate) const SCHEMA: &str = "
message event {
  REQUIRED INT64 plan_id;
  REQUIRED INT64 event_id;
  REQUIRED BYTE_ARRAY kind (STRING);
  REQUIRED INT64 received_at (TIMESTAMP(MILLIS,true));
  REQUIRED INT64 filed_at (TIMESTAMP(MILLIS,true));
  REQUIRED BOOLEAN counted;
  OPTIONAL BYTE_ARRAY reason (STRING);
  REQUIRED INT32 filter_version (INTEGER(16,true));
  REQUIRED INT64 price_milli;
  OPTIONAL INT64 slot_id;
  REQUIRED FIXED_LEN_BYTE_ARRAY (16) nonce;
  OPTIONAL FIXED_LEN_BYTE_ARRAY (16) visitor;
  OPTIONAL BYTE_ARRAY device (STRING);
  OPTIONAL INT32 arm (INTEGER(16,true));
  OPTIONAL INT32 among (INTEGER(16,true));
  OPTIONAL INT32 propensity;
  OPTIONAL INT64 learned_up_to;
  OPTIONAL INT64 cleared_milli;
  OPTIONAL BYTE_ARRAY source (STRING);
}";

/// Columns that readers choose row groups by.
pub(crate) const PLAN: usize = 0;
pub(crate) const ID: usize = 1;
pub(crate) const FILED_AT: usize = 4;
pub(crate) const COUNTED: usize = 5;

/// Writes the columns of a row group.
pub(crate) fn write<W: Write + Send>(group: SerializedRowGroupWriter<'_, W>, rows: &[Event]) -> Result<(), Error> {
    let mut columns = Columns { group, rows };
    columns.required::<Int64Type>(|e| e.plan.0)?;
    columns.required::<Int64Type>(|e| e.id)?;
    columns.required::<ByteArrayType>(|e| e.kind.name().into())?;
    columns.required::<Int64Type>(|e| e.at.millis())?;
    columns.required::<Int64Type>(|e| e.filed_at.millis())?;
    columns.required::<BoolType>(|e| e.counted)?;
    columns.optional::<ByteArrayType>(|e| e.reason.map(|reason| reason.name().into()))?;
    columns.required::<Int32Type>(|e| e.filter_version.into())?;
    columns.required::<Int64Type>(|e| e.price_milli)?;
    columns.optional::<Int64Type>(|e| e.slot.map(|slot| slot.0))?;
    columns.required::<FixedLenByteArrayType>(|e| fixed(&e.nonce))?;
    columns.optional::<FixedLenByteArrayType>(|e| e.visitor.as_ref().map(fixed))?;
    columns.optional::<ByteArrayType>(|e| e.device.map(|device| device.name().into()))?;
    columns.optional::<Int32Type>(|e| e.arm.map(i32::from))?;
    columns.optional::<Int32Type>(|e| e.among.map(i32::from))?;
    columns.optional::<Int32Type>(|e| e.propensity)?;
    columns.optional::<Int64Type>(|e| e.learned)?;
    columns.optional::<Int64Type>(|e| e.cleared_milli)?;
    columns.optional::<ByteArrayType>(|e| e.source.as_deref().map(ByteArray::from))?;
    columns.group.close()?;
    Ok(())
}

fn fixed(bytes: &[u8; 16]) -> FixedLenByteArray {
    bytes.to_vec().into()
}

struct Columns<'a, 'w, W: Write> {
    group: SerializedRowGroupWriter<'w, W>,
    rows: &'a [Event],
}

impl<W: Write + Send> Columns<'_, '_, W> {
    fn required<T: DataType>(&mut self, value: impl Fn(&Event) -> T::T) -> Result<(), Error> {
        let values: Vec<T::T> = self.rows.iter().map(value).collect();
        self.write::<T>(&values, None)
    }

    fn optional<T: DataType>(&mut self, value: impl Fn(&Event) -> Option<T::T>) -> Result<(), Error> {
        let all: Vec<Option<T::T>> = self.rows.iter().map(value).collect();
        let levels: Vec<i16> = all.iter().map(|value| i16::from(value.is_some())).collect();
        let values: Vec<T::T> = all.into_iter().flatten().collect();
        self.write::<T>(&values, Some(&levels))
    }

    fn write<T: DataType>(&mut self, values: &[T::T], levels: Option<&[i16]>) -> Result<(), Error> {
        let column = self.group.next_column()?;
        let mut column = column.ok_or_else(|| Error::damaged("there are more columns than in the schema"))?;
        column.typed::<T>().write_batch(values, levels, None)?;
        column.close()?;
        Ok(())
    }
}

/// Gives the next column's values, as many as there are rows.
pub(crate) trait Values {
    fn required<T: DataType>(&mut self) -> Result<std::vec::IntoIter<T::T>, Error>;
    fn optional<T: DataType>(&mut self) -> Result<std::vec::IntoIter<Option<T::T>>, Error>;
}

/// Reads the rows of a row group.
pub(crate) fn read(rows: usize, from: &mut impl Values) -> Result<Vec<Event>, Error> {
    let mut plan = from.required::<Int64Type>()?;
    let mut id = from.required::<Int64Type>()?;
    let mut kind = from.required::<ByteArrayType>()?;
    let mut at = from.required::<Int64Type>()?;
    let mut filed_at = from.required::<Int64Type>()?;
    let mut counted = from.required::<BoolType>()?;
    let mut reason = from.optional::<ByteArrayType>()?;
    let mut filter_version = from.required::<Int32Type>()?;
    let mut price_milli = from.required::<Int64Type>()?;
    let mut slot = from.optional::<Int64Type>()?;
    let mut nonce = from.required::<FixedLenByteArrayType>()?;
    let mut visitor = from.optional::<FixedLenByteArrayType>()?;
    let mut device = from.optional::<ByteArrayType>()?;
    let mut arm = from.optional::<Int32Type>()?;
    let mut among = from.optional::<Int32Type>()?;
    let mut propensity = from.optional::<Int32Type>()?;
    let mut learned = from.optional::<Int64Type>()?;
    let mut cleared_milli = from.optional::<Int64Type>()?;
    let mut source = from.optional::<ByteArrayType>()?;
    let mut events = Vec::with_capacity(rows);
    for _ in 0..rows {
        events.push(Event {
            plan: PlanId(next(&mut plan)?),
            id: next(&mut id)?,
            kind: named(&next(&mut kind)?, EventKind::from_name)?,
            at: Timestamp::from_millis(next(&mut at)?),
            filed_at: Timestamp::from_millis(next(&mut filed_at)?),
            counted: next(&mut counted)?,
            reason: next(&mut reason)?.map(|name| named(&name, Reason::from_name)).transpose()?,
            filter_version: small(next(&mut filter_version)?)?,
            price_milli: next(&mut price_milli)?,
            slot: next(&mut slot)?.map(SlotId),
            nonce: sixteen(&next(&mut nonce)?)?,
            visitor: next(&mut visitor)?.map(|bytes| sixteen(&bytes)).transpose()?,
            device: next(&mut device)?.map(|name| named(&name, Device::from_name)).transpose()?,
            arm: next(&mut arm)?.map(small).transpose()?,
            among: next(&mut among)?.map(small).transpose()?,
            propensity: next(&mut propensity)?,
            learned: next(&mut learned)?,
            cleared_milli: next(&mut cleared_milli)?,
            source: next(&mut source)?.map(|text| Ok::<_, Error>(utf8(&text)?.to_owned())).transpose()?,
        });
    }
    Ok(events)
}

fn next<T>(values: &mut std::vec::IntoIter<T>) -> Result<T, Error> {
    values.next().ok_or_else(|| Error::damaged("a column is shorter than its row group"))
}

fn utf8(bytes: &ByteArray) -> Result<&str, Error> {
    std::str::from_utf8(bytes.data()).map_err(Error::damaged)
}

fn named<T>(bytes: &ByteArray, from_name: impl Fn(&str) -> Option<T>) -> Result<T, Error> {
    let name = utf8(bytes)?;
    from_name(name).ok_or_else(|| Error::damaged(format!("{name} is unknown to this program")))
}

fn small(number: i32) -> Result<i16, Error> {
    i16::try_from(number).map_err(Error::damaged)
}

fn sixteen(bytes: &FixedLenByteArray) -> Result<[u8; 16], Error> {
    bytes.data().try_into().map_err(Error::damaged)
}
