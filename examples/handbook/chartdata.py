"""The numbers behind the charts. The truth about the figures and the drawings both read them."""

from __future__ import annotations

from math import cos, pi

MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
# Megawatt hours in 2030.
ENERGY = {
    "Turbine": (5.1, 4.8, 5.3, 5.0, 4.9, 4.7, 4.6, 4.8, 5.4, 5.2, 4.9, 5.0),
    "Solar": (0.3, 0.7, 1.6, 2.5, 3.2, 3.4, 3.1, 2.6, 1.8, 0.9, 0.4, 0.2),
    "Diesel": (2.2, 1.6, 0.7, 0.2, 0.0, 0.0, 0.0, 0.0, 0.2, 0.8, 1.7, 2.4),
}
# Per cent of the electrical load, mean of 2030.
LOAD = {"Heat pumps": 38, "Instruments": 17, "Desalination": 14, "Laboratory": 12, "Galley": 11, "Radio and data": 8}
# Highest level of each year, metres above chart datum.
MAXIMA = {2023: 5.38, 2024: 5.61, 2025: 5.44, 2026: 5.92, 2027: 5.57, 2028: 5.49, 2029: 5.73, 2030: 5.66}
CROSSINGS = {"Cancelled: wind": 21, "Cancelled: fog": 9, "Delayed": 34, "On time": 172}
# Median sea surface temperature at the pier, degrees Celsius.
SEA_TEMPERATURE = (6.8, 6.3, 6.5, 7.4, 9.1, 11.2, 13.0, 13.7, 13.1, 11.6, 9.7, 7.9)
# Amplitude in metres, speed in degrees an hour, phase lag in degrees.
CONSTITUENTS = {
    "M2": (1.42, 28.984, 205),
    "S2": (0.51, 30.0, 241),
    "N2": (0.29, 28.440, 182),
    "K1": (0.11, 15.041, 150),
}


def predicted(hour: float) -> float:
    """Return the level in metres above chart datum, `hour` hours after midnight of the figure's day."""
    waves = (size * cos((speed * hour - lag) * pi / 180) for size, speed, lag in CONSTITUENTS.values())
    return 2.85 + sum(waves)


def observed(hour: float) -> float:
    """Return the level the radar gauge showed: a surge of 0.4 m grows from noon and is spent by 22:00."""
    surge = 0.2 * (1 - cos(2 * pi * (hour - 12) / 10)) if 12 <= hour <= 22 else 0.0
    return predicted(hour) + surge
