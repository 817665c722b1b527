import flatpickr from "flatpickr";
import "flatpickr/dist/flatpickr.css";
import { hold } from "../state.js";

const onChange = (dates, text, { input }) => hold({ [input.id]: text });

flatpickr("#arrival", { defaultDate: "2026-05-10", onChange });
flatpickr("#stay", { mode: "range", defaultDate: ["2026-05-10", "2026-05-12"], onChange });
flatpickr("#alarm", { enableTime: true, noCalendar: true, time_24hr: true, defaultDate: "07:00", onChange });
flatpickr("#birthday", { altInput: true, allowInput: true, defaultDate: "2000-01-31", onChange });
